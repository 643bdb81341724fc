interface Installed {
  readonly version: string;
  readonly folders: readonly { readonly folder: string; readonly placed: string }[];
  readonly otherVersions: readonly string[];
  /** Absent: it is in the project, where it is found without configuration. */
  readonly mirror: string | undefined;
}

const required = (version: string): string => `terraform {
  required_providers {
    keyplane = {
      source  = "keyplane/keyplane"
      version = "${version}"
    }
  }
}`;

const configured = (mirror: string): string => `provider_installation {
  filesystem_mirror {
    path    = ${JSON.stringify(mirror)}
    include = ["keyplane/keyplane"]
  }
  direct {
    exclude = ["keyplane/keyplane"]
  }
}`;

const indented = (text: string): string => text.replace(/^/gm, '  ');

/** The installed files, and the next steps. */
export function renderInstalled({ version, folders, otherVersions, mirror }: Installed): string {
  const also = otherVersions.length === 0 ? [] : [`Other installed versions: ${otherVersions.join(', ')}.`];
  const init = also.length === 0 ? 'terraform init' : 'terraform init -upgrade';
  return [
    `The Keyplane provider, version ${version}:`,
    ...folders.map(({ folder, placed }) => `  ${folder} (${placed})`),
    ...also,
    '',
    ...(mirror === undefined ? [] : ['In ~/.terraformrc or ~/.tofurc:', '', indented(configured(mirror)), '']),
    'In the configuration:',
    '',
    indented(required(version)),
    '',
    `Then: ${init}   (or: ${init.replace('terraform', 'tofu')})`,
  ].join('\n');
}
