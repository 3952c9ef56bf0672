import { Button } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '../attempt.ts'
import { formatNumber } from '../format.ts'
import { plural, t } from '../t.ts'
import { notify } from '../ui/feedback/notify.tsx'
import { ExportIcon } from '../ui/icons.ts'
import { csv, download } from './csv.ts'
import type { List } from './use-list.ts'

/** CSV file of a list: its name, its columns with their cells, and its maximum number of rows. */
export type CsvFile<Row> = {
  name: string
  columns: readonly (readonly [title: string, cell: (row: Row) => unknown])[]
  most: number
}

/** Exports every row that matches the filter as a CSV file, and shows their count while reading. */
export function ExportButton<Row>(props: { list: List<Row>; file: CsvFile<Row>; nouns: readonly [string, string] }) {
  const { list, file, nouns } = props
  const [exported, setExported] = useState<number | null>(null)
  const save = async () => {
    setExported(0)
    await attempt(async () => {
      const rows = await list.readAll(file.most, setExported)
      const cells = rows.map((row) => file.columns.map(([, cell]) => cell(row)))
      download(
        file.name,
        csv(
          file.columns.map(([title]) => title),
          cells,
        ),
      )
      notify({
        tone: 'pos',
        title: t('Lista exportada'),
        text: t('{count} em {name}', { count: plural(rows.length, ...nouns), name: file.name }),
      })
    })
    setExported(null)
  }
  return (
    <Button
      variant="default"
      leftSection={<ExportIcon size={17} />}
      disabled={list.rows.length === 0 || exported !== null}
      onClick={() => void save()}
    >
      {exported === null ? t('Exportar') : t('Exportando {count}', { count: formatNumber(exported) })}
    </Button>
  )
}
