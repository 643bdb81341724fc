import type { StateEnvironment } from '../disk/index.ts';

/** The variables that name the folder for state and the job of a pipeline. A folder of one’s own replaces the former. */
export const processEnvironment = (stateFolder: string | undefined): StateEnvironment =>
  stateFolder === undefined ? process.env : { ...process.env, XDG_STATE_HOME: stateFolder };
