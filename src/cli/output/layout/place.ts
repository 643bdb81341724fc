import type { Place } from '../../../domain/index.ts';
import { printable } from './printable.ts';

/** ` in prod/Checkout/Resource`, where a place belongs to a construct or a block of Terraform. */
const behind = ({ construct }: Place): string => (construct === undefined ? '' : ` in ${printable(construct)}`);

export const renderLine = (place: Place): string => `${printable(place.file)}:${place.line}${behind(place)}`;

export const renderPlace = (place: Place): string =>
  `${printable(place.file)}:${place.line}:${place.column}${behind(place)}`;
