import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { definitionOf } from '#domain/reports/measures.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { CheckIcon } from '#web/ui/icons.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { reports } from '../addresses.ts'
import type { ReportProof } from '../contract.ts'

type Difference = ReportProof['differences'][number]

/** Describes the last proof of stored figures. */
export function proofText({ at, days, figures, differences }: ReportProof): string {
  if (at === null) return t('Cada número abre as linhas que o formam e é recontado toda noite.')
  const found = differences.length
  return t('Recontado em {at}: {figures} de {days}, {found}.', {
    at: formatDateTime(at),
    figures: plural(figures, t('número'), t('números')),
    days: plural(days, t('dia'), t('dias')),
    found: found === 0 ? t('sem diferença') : plural(found, t('diferença corrigida'), t('diferenças corrigidas')),
  })
}

/** Alert above a period's statistics if the last proof found differences. */
export function ProofAlarm() {
  const { data } = useQuery({ ...query(reports.proof), enabled: useMay()('reports:read') })
  const days = new Set(data?.differences.map(({ day }) => day)).size
  if (!data?.at || days === 0) return null
  return (
    <Notice tone="warn">
      {t('A conferência de {at} achou números diferentes dos seus atendimentos em {days} e os corrigiu.', {
        at: formatDateTime(data.at),
        days: plural(days, t('dia'), t('dias')),
      })}{' '}
      <Link to={'/relatorios'}>{t('Ver quais')}</Link>
    </Notice>
  )
}

/** Button that proves all stored figures now. */
export function ProveButton() {
  const [isBusy, setBusy] = useState(false)
  const client = useQueryClient()
  const prove = async () => {
    setBusy(true)
    const proof = await attempt(() => call(reports.prove, {}, { long: true, quiet: true }), t('Números recontados'))
    if (proof) client.setQueryData(query(reports.proof).queryKey, proof)
    setBusy(false)
  }
  return (
    <Button variant="default" leftSection={<CheckIcon size={17} />} loading={isBusy} onClick={() => void prove()}>
      {t('Recontar agora')}
    </Button>
  )
}

const columns: readonly Column<Difference>[] = [
  { key: 'measure', title: t('Número'), cell: ({ measure }) => definitionOf(measure).name },
  { key: 'day', title: t('Dia'), cell: ({ day }) => day.split('-').toReversed().join('/') },
  { key: 'stored', title: t('Estava guardado'), numeric: true, cell: ({ stored }) => numberText(stored) },
  { key: 'recomputed', title: t('Recontado'), numeric: true, cell: ({ recomputed }) => numberText(recomputed) },
]
const numberText = (value: number | null): string =>
  value === null ? '–' : formatNumber(Math.round(value * 100) / 100)

/** Differences found by the last proof; empty if none. */
export function Differences() {
  const { data } = useQuery(query(reports.proof))
  // A wrong number differs in every split: list only its total.
  const rows = data?.differences.filter(({ split }) => split === 'total') ?? []
  if (rows.length === 0) return null
  return (
    <Card title={t('Diferenças encontradas e corrigidas')} flush>
      <DataTable
        label={t('Diferenças encontradas e corrigidas')}
        columns={columns}
        rows={rows}
        rowKey={({ measure, day, recomputed }) => `${measure} ${day} ${recomputed}`}
      />
    </Card>
  )
}
