/**
 * Files that a run leaves on this machine: the folder for state, files that are written whole or not at all, the journal of
 * creates, and the life of the processes that wrote them.
 */
export { type FileJournalOptions, openFileJournal } from './create-journal.ts';
export { fileLock } from './file-lock.ts';
export { jobAddress } from './job-address.ts';
export { type Machine, thisMachine } from './machine.ts';
export { makeFolder } from './make-folder.ts';
export { commandLine, hasEnded, type ProcessRef, processNamespace, processRef, processStart } from './process-life.ts';
export { openRecentReveals, type RecentUses } from './recent-uses.ts';
export { openShownTexts, type ShownTexts } from './shown-texts.ts';
export { accountHash, type StateEnvironment } from './state-folder.ts';
export { usageCacheAt } from './usage-cache.ts';
export { unwritable, writePrivately, writeWhole } from './write-file.ts';
