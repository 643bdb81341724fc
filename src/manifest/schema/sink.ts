import * as z from 'zod';
import { type DeclaredSink, once, SINK_ENDS, type SinkTarget, sinkKind, tryParseDuration } from '../../domain/index.ts';
import { duration, flag, line, matching, VERBATIM, withMessage } from './scalar.ts';

const file = () => line('path').describe('Relative to the folder of the manifest file.');

const entryName = (pattern = /^[\w.-]+$/u) =>
  matching(pattern, 'entry-name').describe('The entry that holds the secret.');

/** Credentials travel to it, so only this machine is reached without TLS. */
const sinkUrl = () =>
  matching(/^(https:\/\/[^\s/?#@]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)(\/[^\s?#]*)?$/u, 'sink-url').meta({
    [VERBATIM]: true,
  });

/** Segments of a path, none of which is `.` or `..`. */
const PATH = /^(?!\.{1,2}(\/|$))[^\p{Cc}\s/?#*]+(\/(?!\.{1,2}(\/|$))[^\p{Cc}\s/?#*]+)*$/u;

const sinkPath = () => matching(PATH, 'sink-path');

const program = () => z.array(line('argv'), withMessage('argv')).min(1, withMessage('argv'));

/** The fields that every sink may have. */
const options = once(() => ({
  adopt: flag().describe('Replaces a value that Keyplane did not write. Default: false.').optional(),
  propagate: duration().describe('The time until the readers of the sink have a new secret, such as `90s`.').optional(),
  onDestroy: z
    .enum(SINK_ENDS, withMessage('on-destroy'))
    .describe('The end of the secret in the sink when its key is destroyed. Default: keep.')
    .optional(),
}));

const entryFile = () =>
  z.strictObject({
    file: file(),
    format: z.enum(['dotenv', 'json', 'yaml'], withMessage('format')),
    as: entryName(),
    ...options(),
  });

const rawFile = () => z.strictObject({ file: file(), format: z.literal('raw', withMessage('format')), ...options() });

const encryptedFile = () =>
  z.strictObject({
    file: file(),
    encrypt: z
      .array(matching(/^age1[0-9a-z]+$/u, 'recipients'), withMessage('recipients'))
      .min(1, withMessage('recipients')),
    ...options(),
  });

const kubernetesSecret = () =>
  z.strictObject({
    kubernetesSecret: z.strictObject(
      {
        // Kubernetes takes 253 characters; nine are the end, which changes with the secret.
        name: matching(/^(?!.{245})[a-z0-9]+((-+|\.)[a-z0-9]+)*$/u, 'kubernetes-name'),
        namespace: matching(/^(?!.{64})[a-z0-9]+(-+[a-z0-9]+)*$/u, 'kubernetes-name').optional(),
        file: file(),
        as: entryName(/^(?!\.$|\.\.|.{254})[\w.-]+$/u).optional(),
      },
      withMessage('sink'),
    ),
    ...options(),
  });

const vault = () =>
  z.strictObject({
    vault: z.strictObject(
      {
        url: sinkUrl(),
        namespace: sinkPath().optional(),
        mount: sinkPath().describe('The key-value store of version 2. Default: secret.').optional(),
        path: sinkPath(),
        as: entryName(),
      },
      withMessage('sink'),
    ),
    ...options(),
  });

const ofGitlab = once(() => ({
  url: sinkUrl().describe('Default: https://gitlab.com.').optional(),
  as: matching(/^\w{1,255}$/u, 'variable-name').describe('The name of the variable.'),
  environment: matching(/^(?! )[\w /${}.*-]{1,255}(?<! )$/u, 'environment-scope')
    .describe('The scope of the variable. Default: every environment.')
    .optional(),
  masked: flag().describe('Masks the value in the logs of jobs. Default: true.').optional(),
  hidden: flag().describe('Hides the value for ever, from its creation. Default: false.').optional(),
  protected: flag().describe('Only for protected branches and tags. Default: false.').optional(),
}));

const gitlabVariable = () =>
  z.strictObject({
    gitlabVariable: z.union(
      [z.strictObject({ project: sinkPath(), ...ofGitlab() }), z.strictObject({ group: sinkPath(), ...ofGitlab() })],
      withMessage('gitlab-variable'),
    ),
    ...options(),
  });

const githubSecret = () =>
  z.strictObject({
    githubSecret: z.strictObject(
      {
        url: sinkUrl().describe('The address of the API. Default: https://api.github.com.').optional(),
        repository: matching(/^[A-Za-z0-9-]{1,39}\/(?!\.{1,2}$)[\w.-]{1,100}$/u, 'repository'),
        environment: matching(/^(?!\.{1,2}$)[^\p{Cc}*]{1,255}$/u, 'environment-name').optional(),
        as: matching(/^(?![Gg][Ii][Tt][Hh][Uu][Bb]_)[A-Za-z_]\w{0,200}$/u, 'variable-name'),
      },
      withMessage('sink'),
    ),
    ...options(),
  });

const awsSecret = () =>
  z.strictObject({
    awsSecret: z.strictObject(
      {
        name: matching(/^[\w/+=.@-]{1,512}$/u, 'aws-name'),
        region: matching(/^[a-z]{2,}(-[a-z]+)+-\d$/u, 'aws-region'),
        url: sinkUrl().describe('Default: the public endpoint of the region.').optional(),
      },
      withMessage('sink'),
    ),
    ...options(),
  });

const programs = () =>
  z.strictObject({
    exec: program(),
    read: program().describe('A program that prints what the sink holds.').optional(),
    env: z
      .array(matching(/^(?!KEYPLANE_)[A-Za-z_]\w*$/u, 'program-env'), withMessage('program-env'))
      .describe('Variables that the programs get, in addition to PATH, HOME and the like.')
      .optional(),
    timeout: duration().describe('The time limit of a program. Default: 60s.').optional(),
    ...options(),
  });

/** The destination of the usable credential of a key. */
export const sinkSchema = once(() =>
  z
    .union(
      [
        entryFile(),
        rawFile(),
        encryptedFile(),
        kubernetesSecret(),
        vault(),
        gitlabVariable(),
        githubSecret(),
        awsSecret(),
        programs(),
      ],
      withMessage('sink'),
    )
    .meta({ id: 'Sink', description: 'A place where the secret is delivered.' }),
);

/** A Kubernetes manifest arrives when an operator applied it and the kubelet renewed its volumes. */
const PROPAGATION_SECONDS = {
  file: 0,
  age: 0,
  kubernetes: 300,
  vault: 0,
  gitlab: 0,
  github: 0,
  aws: 0,
  exec: 0,
} as const;

/** The sink that a manifest declares, without its folder and place. */
export function sinkOf(declared: z.output<ReturnType<typeof sinkSchema>>): Omit<DeclaredSink, 'folder' | 'place'> {
  const { adopt = false, propagate, onDestroy = 'keep', ...rest } = declared;
  const target: SinkTarget = rest;
  const propagateSeconds = propagate === undefined ? undefined : tryParseDuration(propagate);
  return { target, adopt, propagateSeconds: propagateSeconds ?? PROPAGATION_SECONDS[sinkKind(target)], onDestroy };
}
