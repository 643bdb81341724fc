/** Terraform JSON, as the CDKs for Terraform and Keyplane itself write it: texts with positions to declared keys. */
export type { CheckPart, TerraformCheck } from './checks/check.ts';
export { STACKS_FILE, tryFindStacks, tryReadStacks } from './files/cdk-output.ts';
export { isTerraformJson, type ModuleFolder, modulePath, modulePaths } from './files/folder.ts';
export type { Account } from './module/account.ts';
export { type ModuleSource, readModules, type TerraformModule } from './read.ts';
