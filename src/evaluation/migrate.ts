import type { PathBases } from '../support/paths';
import { resolveFrom } from '../support/paths';
import { refusal } from '../support/errors';
import { defaultParts } from './parts';

/** What migrating takes; paths as everywhere. */
export interface MigrationOptions {
  readonly oldEvalDataFile: string;
  readonly newEvalDataFile: string;
  /** Session file that belongs to the old one. */
  readonly initialSessionFile?: string;
}

/**
 * Rewrites a legacy eval set file in the current format, everything spelled out as google-adk's migration does. An existing new file is replaced.
 *
 * @throws {JestAdkError} for files that cannot be read or written
 */
export function migrateEvalData(options: MigrationOptions, bases: PathBases): void {
  const { oldEvalDataFile, newEvalDataFile, initialSessionFile } = options;
  if (!oldEvalDataFile || !newEvalDataFile) throw refusal('missing_option', 'migrateEvalDataToNewSchema needs the options "oldEvalDataFile" and "newEvalDataFile".');
  defaultParts().migrate(resolveFrom(bases, oldEvalDataFile), resolveFrom(bases, newEvalDataFile), initialSessionFile === undefined ? undefined : resolveFrom(bases, initialSessionFile));
}
