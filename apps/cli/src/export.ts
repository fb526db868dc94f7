import { type ExportedTable, exportCsv, exportHftbacktest, exportParquet } from '@l4desk/recording/export';
import { Command, Option } from 'commander';
import type { CliContext } from './context.ts';
import { fileFailure } from './file-failure.ts';
import { counted, nameArgument } from './outcome.ts';
import { askRecording } from './recorded.ts';

interface ExportOptions {
  readonly format: 'parquet' | 'csv' | 'hftbacktest';
  readonly out: string;
}

const NOT_EXACT =
  'Prices and quantities are 64-bit floats in this format, and not exact; executions of shrunk orders are inferred.';

/** `export`: writes the tables of a recording for research, or its events for a backtest. */
export function exportCommand(context: CliContext): Command {
  return new Command('export')
    .description('write the tables of a recording as Parquet or CSV, or its events for hftbacktest')
    .argument('<file>', 'recording (.l4rec)')
    .addOption(
      new Option('--format <format>', 'parquet and csv are exact; hftbacktest has floats')
        .choices(['parquet', 'csv', 'hftbacktest'])
        .makeOptionMandatory(),
    )
    .requiredOption('--out <dir>', 'folder to write to, created if missing', nameArgument)
    .addHelpText(
      'after',
      '\nTables: recording, blocks, changes, statuses, orders (of each keyframe), gaps; see docs/research.md.\nParquet needs DuckDB (npm install @duckdb/node-api).',
    )
    .action(async (path: string, { format, out }: ExportOptions) => {
      const files = await askRecording(context, path, async (recording) => {
        try {
          if (format === 'parquet') return (await exportParquet(recording, out)).map(tableFile);
          if (format === 'csv') return (await exportCsv(recording, out)).tables.map(tableFile);
          return (await exportHftbacktest(recording, out)).map((file) => ({ path: file.path, rows: file.events }));
        } catch (error) {
          throw fileFailure(out, error);
        }
      });
      const note = format === 'hftbacktest' ? NOT_EXACT : undefined;
      context.print({ file: path, format, files, ...(note === undefined ? {} : { note }) }, [
        ...files.map(
          ({ path: written, rows }) => `${written}  ${counted(rows, format === 'hftbacktest' ? 'event' : 'row')}`,
        ),
        ...(note === undefined ? [] : [note]),
      ]);
    });
}

function tableFile({ path, rows }: ExportedTable) {
  return { path, rows };
}
