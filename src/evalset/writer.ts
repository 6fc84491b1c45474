import { publishFile } from '../support/files';
import { stringifyJson } from '../support/json';
import { defaultProfile, type Profile } from '../support/profile';
import { writeModel, type Shape } from '../schema/write';
import type { EvalSet } from './types';

/**
 * `manager`: unset fields, defaults and nulls left out, as google-adk saves sets. `with_defaults`: nulls left out. `migration`: everything, nulls included.
 */
export type EvalSetShape = 'manager' | 'with_defaults' | 'migration';

const shapes: Readonly<Record<EvalSetShape, Shape>> = { manager: 'saved', with_defaults: 'with_defaults', migration: 'everything' };

/**
 * An eval set as snake_case JSON, fields in declaration order, kept unknown keys last. Numbers of float fields are `JsonFloat`, for `stringifyJson`.
 * Outside `google-adk` an empty `invocation_events` is kept, which would otherwise be read back as the other kind of intermediate data.
 */
function evalSetToJson(evalSet: EvalSet, shape: EvalSetShape = 'manager', profile: Profile = defaultProfile): Record<string, unknown> {
  return writeModel('EvalSet', evalSet, options(shape, profile));
}

function options(shape: EvalSetShape, profile: Profile): { shape: Shape; keepEmptyEvents: boolean } {
  return { shape: shapes[shape], keepEmptyEvents: profile.name !== 'google-adk' };
}

/** The text of an eval set's file, without a final line break, as google-adk writes it. */
export function evalSetText(evalSet: EvalSet, shape: EvalSetShape = 'manager', profile: Profile = defaultProfile): string {
  return stringifyJson(evalSetToJson(evalSet, shape, profile));
}

/**
 * Saves an eval set as JSON at an absolute path, whole or not at all. Unless told to `overwrite`, an existing file is an error with code `EEXIST`.
 */
export function writeEvalSetFile(path: string, evalSet: EvalSet, { shape = 'manager', overwrite = false, profile = defaultProfile }: { readonly shape?: EvalSetShape; readonly overwrite?: boolean; readonly profile?: Profile } = {}): void {
  publishFile(path, evalSetText(evalSet, shape, profile), { overwrite });
}
