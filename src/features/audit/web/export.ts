import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { csv, download } from '#web/resource/csv.ts'
import { readAll } from '#web/resource/read-all.ts'
import type { AuditRow, audit } from '../contract.ts'
import { changesText, methodText, profileText, targetText, whoText } from './words.ts'

const mostRows = 50_000

const columns: readonly [string, (row: AuditRow) => string | number][] = [
  ['registro', (row) => row.seq],
  ['quando', (row) => formatDateTime(row.at)],
  ['quem', whoText],
  ['perfil', (row) => profileText(row.profile)],
  ['suporte', (row) => (row.isSupport ? 'Sim' : 'Não')],
  ['entrou com', (row) => methodText(row.method)],
  ['ação', (row) => row.summary],
  ['código', (row) => row.action],
  ['em quê', (row) => targetText(row.target)],
  ['o que mudou', (row) => changesText(row.changes)],
  ['resultado', (row) => (row.result === 'ok' ? 'Feito' : `Recusado: ${row.result}`)],
  ['endereço', (row) => row.ip],
  ['programa', (row) => row.userAgent],
  ['pedido', (row) => row.requestId],
]

/** Hands the person a CSV file of the records that the filter lets through, the newest first; answers how many. */
export async function exportAudit(
  op: typeof audit.list | typeof audit.platformList,
  filter: object,
  progress: (count: number) => void,
): Promise<number> {
  const rows = await readAll(
    async (cursor): Promise<{ rows: AuditRow[]; nextCursor: string | null }> => {
      const page = await call(op, { query: { ...filter, cursor } }, { long: true, quiet: true })
      return { rows: page.records, nextCursor: page.nextCursor }
    },
    mostRows,
    progress,
  )
  const table = csv(
    columns.map(([name]) => name),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
  )
  download('auditoria.csv', table)
  return rows.length
}
