import { readEvalSetFile } from '../evalset/reader';
import { writeEvalSetFile } from '../evalset/writer';
import { refusal } from '../support/errors';
import { resolveFrom, type PathBases } from '../support/paths';

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
  const initial = initialSessionFile === undefined ? {} : { initialSessionFile: resolveFrom(bases, initialSessionFile) };
  const { value } = readEvalSetFile(resolveFrom(bases, oldEvalDataFile), initial);
  writeEvalSetFile(resolveFrom(bases, newEvalDataFile), value, { shape: 'migration', overwrite: true });
}
