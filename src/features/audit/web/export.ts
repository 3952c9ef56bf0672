import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { t } from '#web/t.ts'
import type { AuditRow } from '../contract.ts'
import { changesText, methodText, profileText, targetText, whoText } from './labels.ts'

/** CSV export of the records, newest first. */
export const auditFile: CsvFile<AuditRow> = {
  name: 'auditoria.csv',
  most: 50_000,
  columns: [
    ['registro', (row) => row.seq],
    ['quando', (row) => formatDateTime(row.at)],
    ['quem', whoText],
    ['perfil', (row) => profileText(row.profile)],
    ['suporte', (row) => (row.isSupport ? t('Sim') : t('Não'))],
    [t('entrou com'), (row) => methodText(row.method)],
    [t('ação'), (row) => row.summary],
    [t('código'), (row) => row.action],
    [t('em quê'), (row) => targetText(row.target)],
    [t('o que mudou'), (row) => changesText(row.changes)],
    ['resultado', (row) => (row.result === 'ok' ? t('Feito') : t('Recusado: {result}', { result: row.result }))],
    [t('endereço'), (row) => row.ip],
    ['programa', (row) => row.userAgent],
    ['pedido', (row) => row.requestId],
  ],
}
