/** All that differs between the two CDKs is in this file: for CDK Terrain, write `cdktn` instead of `cdktf`. */
export { App, Aspects, TerraformOutput, TerraformStack } from 'cdktf';
export * from 'keyplane/constructs/cdktf';
