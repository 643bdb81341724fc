// Loaded before the built program, in plain JavaScript because Node 20 reads no TypeScript. It counts the steps that the outside
// world can see, and kills the process right after the one that KILL_AT names; without it, the steps are listed in KILL_STEPS.
import { subscribe } from 'node:diagnostics_channel';
import fs from 'node:fs';
import filePromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** @type {Functions} */
const files = /** @type {any} */ (fs);
/** @type {Functions} */
const promises = /** @type {any} */ (filePromises);
const { KILL_AT, KILL_STEPS } = process.env;
/** @type {string[]} */
const steps = [];
const list = fs.writeFileSync;

const missing = () => {
  throw new Error('this Node lacks a function of node:fs');
};

/** @param {string} title */
function step(title) {
  steps.push(title);
  if (steps.length === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
}

/** @param {unknown} target */
const nameOf = (target) => (typeof target === 'string' ? ` ${basename(target)}` : '');

const CHANGING = ['writeFile', 'appendFile', 'rename', 'link', 'rm', 'unlink', 'mkdir', 'utimes', 'truncate'];
const OF_HANDLES = ['write', 'writev', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate'];
const OF_DESCRIPTORS = ['write', 'writev', 'fsync', 'fdatasync', 'ftruncate'];

/** @param {unknown[]} given */
const opensToWrite = ([, flags]) =>
  typeof flags === 'number' ? (flags & fs.constants.O_CREAT) !== 0 : typeof flags === 'string' && /[wax+]/.test(flags);

/** @typedef {Record<string, (...given: unknown[]) => unknown>} Functions */
/** @typedef {(given: unknown[]) => boolean} Choice whether a call with these arguments changes anything */

/**
 * @param {Functions} owner
 * @param {string} name
 * @param {Choice} isCounted
 * @param {boolean} isOfHandle
 */
function countPromised(owner, name, isCounted = () => true, isOfHandle = false) {
  const original = owner[name] ?? missing;
  owner[name] = async function (/** @type {unknown[]} */ ...given) {
    const result = await Reflect.apply(original, this, given);
    if (result instanceof Handle) opened.set(Object(result), nameOf(given[0]));
    // What is written to a handle may be a secret: the step has the name of the file alone.
    if (isCounted(given)) step(`${name}${isOfHandle ? (opened.get(Object(this)) ?? '') : nameOf(given[0])}`);
    return result;
  };
}

/**
 * @param {string} name
 * @param {Choice} isCounted
 */
function countCalled(name, isCounted = () => true) {
  const original = files[name] ?? missing;
  files[name] = (...given) => {
    const done = given.at(-1);
    if (typeof done !== 'function' || !isCounted(given)) return original(...given);
    return original(...given.slice(0, -1), (/** @type {unknown[]} */ ...answer) => {
      if (!answer[0]) step(`${name}${nameOf(given[0])}`);
      done(...answer);
    });
  };
}

/**
 * @param {string} name
 * @param {Choice} isCounted
 */
function countSync(name, isCounted = () => true) {
  const original = files[name] ?? missing;
  files[name] = (...given) => {
    const result = original(...given);
    if (isCounted(given)) step(`${name}${nameOf(given[0])}`);
    return result;
  };
}

const handle = await filePromises.open(process.execPath, 'r');
const Handle = /** @type {any} */ (handle).constructor;
/** @type {WeakMap<object, string>} */
const opened = new WeakMap();
for (const name of OF_HANDLES) countPromised(Object.getPrototypeOf(handle), name, undefined, true);
await handle.close();

for (const name of CHANGING) {
  countPromised(promises, name);
  countCalled(name);
  countSync(`${name}Sync`);
}
for (const name of OF_DESCRIPTORS) {
  countCalled(name);
  countSync(`${name}Sync`);
}
countPromised(promises, 'open', opensToWrite);
countCalled('open', opensToWrite);
countSync('openSync', opensToWrite);
syncBuiltinESMExports();

/** @param {any} message */
const routeOf = ({ request }) => `${request.method} ${request.path.split('?')[0]}`;
subscribe('undici:request:bodySent', (message) => step(`sent ${routeOf(message)}`));
subscribe('undici:request:trailers', (message) => step(`answered ${routeOf(message)}`));

subscribe('child_process', (/** @type {any} */ message) => {
  const { process: child } = message;
  child.once('spawn', () => step(`started ${child.spawnfile}`));
  child.once('close', () => step(`ended ${child.spawnfile}`));
});

process.on('exit', () => {
  if (KILL_STEPS) list(KILL_STEPS, JSON.stringify(steps));
});
