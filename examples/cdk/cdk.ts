/** The only difference between the two CDKs: for CDK Terrain, write `cdktn` instead of `cdktf`. */
export { App, Aspects, TerraformOutput, TerraformStack } from 'cdktf';
export * from 'keyplane/constructs/cdktf';
