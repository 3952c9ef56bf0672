import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { CallInput } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { ExportMenu } from '#web/resource/ExportMenu.tsx'
import { t } from '#web/t.ts'
import { PrintIcon } from '#web/ui/icons.ts'
import { namedReports } from '../addresses.ts'
import type { Sheet } from './printed.ts'
import css from './reports.module.css'
import { SaveReport } from './saved-reports.tsx'

type Body = CallInput<typeof namedReports.export>['body']
type Report = Body['report']

const FILES = { tickets: 'atendimentos', contacts: 'contatos', users: 'usuarios', summary: 'resumo' } as const

/** “Imprimir”, “Excel”, CSV and “Salvar” of a whole report, not only of the visible rows. */
export function ReportActions(props: {
  title: string
  report: Report
  filter: Body['filter']
  /** Loads the printed rows. */
  sheet: () => Promise<Sheet>
}) {
  const { title, report, filter, sheet } = props
  const [isBusy, setBusy] = useState(false)
  const [printed, setPrinted] = useState<Sheet | null>(null)
  const print = async () => {
    setBusy(true)
    await attempt(async () => setPrinted(await sheet()))
    setBusy(false)
  }
  return (
    <>
      <Button variant="default" leftSection={<PrintIcon size={17} />} loading={isBusy} onClick={() => void print()}>
        {t('Imprimir')}
      </Button>
      <ExportMenu
        formats={['xlsx', 'csv']}
        file={FILES[report]}
        take={(format) =>
          call(namedReports.export, { body: { report, format, filter } as Body }, { long: true, quiet: true })
        }
        done={t('Relatório exportado; a exportação fica registrada na auditoria.')}
      />
      <SaveReport title={title} body={{ report, filter } as never} />
      {printed && <Printed title={title} sheet={printed} onDone={() => setPrinted(null)} />}
    </>
  )
}

/** Print-only table in place of the page; prints as soon as it has rendered. */
function Printed({ title, sheet, onDone }: { title: string; sheet: Sheet; onDone: () => void }) {
  const { total = 0, rows } = sheet
  useEffect(() => {
    window.print()
    onDone()
  }, [onDone])
  return createPortal(
    <div className={css.printed}>
      <h1>{title}</h1>
      {total > rows.length && (
        <p>
          {t('Mostrando {shown} de {total} linhas; use Excel para tudo.', {
            shown: formatNumber(rows.length),
            total: formatNumber(total),
          })}
        </p>
      )}
      <table>
        <thead>
          <tr>
            {sheet.columns.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={sheet.columns[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  )
}
