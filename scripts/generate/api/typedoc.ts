import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { join } from 'node:path';
import type {
  Application,
  Context,
  DeclarationReflection,
  LogLevel,
  ParameterReflection,
  ProjectReflection,
  SomeType,
} from 'typedoc';

type TypeDoc = typeof import('typedoc');

// TypeDoc reads programs with TypeScript 6: version 7 has no such interface yet. Only TypeDoc gets the older one.
const REDIRECT = `export const resolve = (name, context, next) =>
  next(name === 'typescript' && context.parentURL?.includes('/node_modules/typedoc/') ? '@typescript/typescript6' : name, context);`;

async function loadTypeDoc(): Promise<TypeDoc> {
  register(`data:text/javascript,${encodeURIComponent(REDIRECT)}`);
  return await import('typedoc');
}

/** The folder holds a module of declarations for each page. */
export interface PagesRequest {
  readonly folder: string;
  /** The titles of pages, by the names of their modules. */
  readonly titles: ReadonlyMap<string, string>;
  /** The names of which only the type is exported, although a value has the same name. */
  readonly types: ReadonlySet<string>;
}

export interface RenderedPages {
  readonly pages: ReadonlyMap<string, string>;
  /** Broken links and exports without documentation. */
  readonly problems: readonly string[];
}

const COMPILER = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  // Unions in the order of their declarations.
  stableTypeOrdering: true,
};

const QUIET: 'Warn' = 'Warn';

const HIDDEN = { hideModifiers: true, hideInherited: true, hideOverrides: true, hideSources: true };

function optionsOf({ folder, titles }: PagesRequest) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, include: ['*.d.ts'] }));
  return {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: [...titles.keys()].map((name) => join(folder, `${name}.d.ts`)),
    tsconfig: join(folder, 'tsconfig.json'),
    outputs: [{ name: 'markdown', path: join(folder, 'out') }],
    logLevel: QUIET,
    name: 'keyplane',
    readme: 'none',
    router: 'module',
    disableSources: true,
    hideGenerator: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: false,
    skipErrorChecking: true,
    sortEntryPoints: false,
    useCodeBlocks: true,
    indexFormat: 'list',
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationVisibility: 'compact',
    expandObjects: true,
    tableColumnSettings: HIDDEN,
    pageTitleTemplates: { module: ({ name }: { name: string }) => titles.get(name) ?? name },
    validation: { notExported: false, notDocumented: false, invalidLink: true, invalidPath: true, rewrittenLink: true },
  };
}

type TypeNode = Exclude<Parameters<Application['converter']['convertType']>[1], undefined>;

/** A declaration, as far as it is read. */
interface Declared {
  readonly type?: TypeNode & { getText(): string };
}

const typeNodeOf = (node: unknown) => (node as Declared | undefined)?.type;

/** A member that may be omitted shows no `undefined`. */
function withoutUndefined(type: SomeType, { UnionType, IntrinsicType }: TypeDoc): SomeType {
  if (!(type instanceof UnionType)) return type;
  const rest = type.types.filter((each) => !(each instanceof IntrinsicType && each.name === 'undefined'));
  return rest.length === 1 && rest[0] ? rest[0] : new UnionType(rest);
}

// TypeFormatFlags: NoTruncation, MultilineObjectLiterals, InTypeAlias.
const WHOLE = 1 | 1024 | 8388608;

/** The text of a type that has objects: as declared, or worked out where it is inferred from a schema. */
function textOf(context: Context, reflection: DeclarationReflection | ParameterReflection, text: string): string {
  const symbol = context.getSymbolFromReflection(reflection);
  if (symbol === undefined || !/\bz\.\w+</.test(text)) return text.replace(/\/\*\*\s+\* (.*)\s+\*\//g, '/** $1 */');
  // The compiler puts it into one line, with the indentation of several.
  return context.checker
    .typeToString(context.checker.getDeclaredTypeOfSymbol(symbol), undefined, WHOLE)
    .replace(/ {4,}/g, '\n$&')
    .replace(/;\}$/, ';\n}')
    .replace(/ \| undefined(?=;)/g, '');
}

/** Shows types as they are declared: the compiler's own view resolves their names, and orders unions in its own way. */
function showDeclaredTypes(app: Application, typedoc: TypeDoc): void {
  const { Converter, ReflectionKind, UnknownType } = typedoc;
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, signature, declaration) => {
    const node = typeNodeOf(declaration);
    if (node) signature.type = context.converter.convertType(context.withScope(signature), node);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    const { TypeAlias, Property, Parameter } = ReflectionKind;
    context.setActiveProgram(context.programs[0]);
    for (const each of context.project.getReflectionsByKind(TypeAlias | Property | Parameter)) {
      const reflection = each as DeclarationReflection | ParameterReflection;
      const declarations = context.getSymbolFromReflection(reflection)?.declarations ?? [];
      const node = (declarations as readonly unknown[]).map(typeNodeOf).find((type) => type !== undefined);
      if (!node) continue;
      const text = textOf(context, reflection, node.getText());
      // Objects and functions have members of their own, which exist already; in an alias, the text is shorter than those.
      if (!/[{(]/.test(text)) {
        const type = context.converter.convertType(context, node);
        reflection.type = reflection.flags.isOptional ? withoutUndefined(type, typedoc) : type;
      } else if (reflection.kind === TypeAlias) reflection.type = new UnknownType(text);
    }
  });
}

/** Drops the values of names that are exported as types only. */
function dropValues(app: Application, { Converter, ReflectionKind }: TypeDoc, types: ReadonlySet<string>): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const each of project.getReflectionsByKind(ReflectionKind.Variable))
      if (types.has(each.name)) project.removeReflection(each);
  });
}

const isDocumented = (each: DeclarationReflection): boolean =>
  each.hasComment() || (each.signatures ?? []).some((signature) => signature.hasComment());

/** Exports, and members of interfaces and classes, that have no documentation. Parts of inferred types have no place for it. */
function undocumented(project: ProjectReflection, { ReflectionKind }: TypeDoc): readonly string[] {
  const exports = (project.children ?? []).flatMap(({ children }) => children ?? []);
  const holders = exports.filter((each) => each.kindOf([ReflectionKind.Interface, ReflectionKind.Class]));
  // Generated interfaces have the descriptions of the schemas that they come from.
  const members = holders
    .filter((each) => !/\/gen\//.test(project.getSymbolIdFromReflection(each)?.fileName ?? ''))
    .flatMap(({ children }) => children ?? []);
  return [...exports, ...members]
    .filter((each) => !each.kindOf([ReflectionKind.Reference, ReflectionKind.Constructor]) && !isDocumented(each))
    .filter((each) => !each.inheritedFrom && !each.name.startsWith('['))
    .map((each) => `${each.getFullName()} has no documentation`);
}

const HEAD = '<!-- Generated from the declarations by `npm run generate`. Do not edit. -->\n\n';

/** Converts the modules of the folder to Markdown. */
export async function renderPages(request: PagesRequest): Promise<RenderedPages> {
  const typedoc = await loadTypeDoc();
  const problems: string[] = [];
  mkdirSync(join(request.folder, 'out'));
  const app = await typedoc.Application.bootstrapWithPlugins(optionsOf(request));
  app.logger = new (class extends typedoc.Logger {
    override log(message: string, level: LogLevel): void {
      if (level >= typedoc.LogLevel.Warn) problems.push(message);
    }
  })();
  showDeclaredTypes(app, typedoc);
  dropValues(app, typedoc, request.types);
  const project = await app.convert();
  if (!project) return { pages: new Map(), problems };
  problems.push(...undocumented(project, typedoc));
  app.validate(project);
  await app.generateOutputs(project);
  const out = join(request.folder, 'out');
  const names = readdirSync(out).filter((name) => name !== 'README.md');
  const pages = names.map((name) => [name, HEAD + readFileSync(join(out, name), 'utf8')] as const);
  return { pages: new Map(pages), problems };
}
