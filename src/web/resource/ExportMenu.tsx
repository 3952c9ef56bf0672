import { Button } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { t } from '#web/t.ts'
import { ExportIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { download } from './csv.ts'

const names = { csv: t('Planilha (CSV)'), xlsx: t('Excel (XLSX)'), vcf: t('Agenda (VCF)') }

/** Menu that exports a list in one of some formats; `take` fetches the file, `file` is its name without ending. */
export function ExportMenu<F extends keyof typeof names>(props: {
  formats: readonly F[]
  file: string
  take: (format: F) => Promise<unknown>
  done: string
}) {
  const { formats, file, take, done } = props
  const [isBusy, setBusy] = useState(false)
  const run = async (format: F) => {
    setBusy(true)
    await attempt(async () => download(`${file}.${format}`, (await take(format)) as Blob), done)
    setBusy(false)
  }
  return (
    <CommandMenu
      label={t('Exportar')}
      commands={formats.map((id) => ({ id, label: names[id], run: () => void run(id) }))}
      target={
        <Button variant="default" leftSection={<ExportIcon size={17} />} loading={isBusy}>
          {t('Exportar')}
        </Button>
      }
    />
  )
}
