import pc from 'picocolors';
import type { Environment } from '../../session/io.ts';

/** Colours by meaning. No information depends on them. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly change: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly link: (text: string) => string;
}

/** The colours and the width that a text is rendered with. */
export interface TextStyle {
  readonly paint: Paint;
  readonly width: number;
}

export function paintOf(colours: boolean): Paint {
  const { bold, dim, green, yellow, red, cyan } = pc.createColors(colours);
  return { strong: bold, faint: dim, good: green, change: yellow, bad: red, link: cyan };
}

export const PLAIN: Paint = paintOf(false);

interface ColourQuestion {
  readonly env: Environment;
  readonly isTTY: boolean;
  readonly refused: boolean;
}

/** `--no-color`, then NO_COLOR, then FORCE_COLOR, then whether a terminal that can do it is there. */
export function wantsColours({ env, isTTY, refused }: ColourQuestion): boolean {
  if (refused || env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return isTTY && env.TERM !== 'dumb';
}
