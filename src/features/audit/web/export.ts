import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import type { AuditRow } from '../contract.ts'
import { changesText, methodText, profileText, targetText, whoText } from './words.ts'

/** The records as a file, the newest first. */
export const auditFile: CsvFile<AuditRow> = {
  name: 'auditoria.csv',
  most: 50_000,
  columns: [
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
  ],
}
