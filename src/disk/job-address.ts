/** The variables by which pipelines name their job. */
type JobEnvironment = Readonly<
  Partial<Record<'GITHUB_SERVER_URL' | 'GITHUB_REPOSITORY' | 'GITHUB_RUN_ID' | 'CI_JOB_URL', string>>
>;

/** Returns the address of the pipeline’s job that this process is part of, where the environment names it. */
export function jobAddress({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: repository,
  GITHUB_RUN_ID: run,
  CI_JOB_URL: job,
}: JobEnvironment): string | undefined {
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  return job || undefined;
}
