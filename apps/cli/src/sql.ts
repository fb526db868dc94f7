import { type QueryCell, queryRecording } from '@l4desk/recording/export';
import { Command } from 'commander';
import type { CliContext } from './context.ts';
import { CliFailure, counted, EXIT, table } from './outcome.ts';
import { askRecording } from './recorded.ts';

/** `sql`: queries the tables of a recording with SQL. */
export function sqlCommand(context: CliContext): Command {
  return new Command('sql')
    .description('query the tables of a recording with SQL')
    .argument('<file>', 'recording (.l4rec)')
    .argument('<query>', 'SQL of DuckDB')
    .addHelpText(
      'after',
      '\nTables: recording, blocks, changes, statuses, orders (of each keyframe), gaps, and the view executions; see docs/research.md.\nWith --json the output is {"columns":[…],"rows":[{…}]}; decimals are strings.\nNeeds DuckDB (npm install @duckdb/node-api).',
    )
    .action(async (path: string, query: string) => {
      if (query.trim() === '') throw new CliFailure('The query is empty.', EXIT.usage);
      const { columns, rows } = await askRecording(context, path, (recording) => queryRecording(recording, query));
      const objects = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
      context.print({ columns, rows: objects }, [
        // Numbers may be heights and ids as well as counts, so their digits are not grouped.
        ...table(
          columns,
          rows.map((row) => row.map(cellText)),
          columns.filter((_, at) => rows.every((row) => isNumeric(row[at]))),
        ),
        counted(rows.length, 'row'),
      ]);
    });
}

function cellText(cell: QueryCell): string {
  if (cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function isNumeric(cell: QueryCell | undefined): boolean {
  return cell === null || typeof cell === 'number' || (typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell));
}
