import { FileButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CONTACT_FIELDS } from '#domain/contacts/columns.ts'
import { sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { UploadIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { contactImports } from '../../imports-addresses.ts'
import type { ContactImport } from '../../imports-contract.ts'
import { ImportDetail } from './ImportDetail.tsx'
import css from './imports.module.css'
import { SyncCard } from './SyncCard.tsx'
import { stateOf } from './texts.ts'

/** Polling interval of running imports, in ms. */
const lookEveryMs = 1000

/** Import screen: new import from a file or channel, progress, and earlier imports. */
export function ImportContacts() {
  const [url, setUrl] = useUrlState()
  const { data, error, refetch } = useQuery({
    ...query(contactImports.list),
    refetchInterval: ({ state }) =>
      state.data?.imports.some(({ status }) => status === 'running') ? lookEveryMs : false,
  })
  const open = (id?: string) => setUrl({ id })
  if (url.id) return <ImportDetail key={url.id} id={url.id} onClose={() => open()} />
  return (
    <Page>
      <PageHeader
        title={t('Importar contatos')}
        facts={t('De uma planilha, da agenda de um celular ou de um canal; nada entra antes de você conferir')}
      />
      <div className={css.ways}>
        <FileCard onSent={open} />
        <SyncCard onStarted={open} />
      </div>
      {error && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="table" rows={4} />}
      {data && data.imports.length > 0 && (
        <>
          <h2 className={css.before}>{t('Últimas importações')}</h2>
          <DataTable
            label={t('Últimas importações')}
            rows={data.imports}
            rowKey={(row) => row.id}
            hrefOf={(row) => `/contatos/importar?id=${row.id}`}
            onOpen={(row) => open(row.id)}
            columns={columns}
          />
        </>
      )}
    </Page>
  )
}

const count = (key: 'created' | 'updated' | 'unchanged' | 'rejected', title: string) => ({
  key,
  title,
  numeric: true,
  cell: (row: ContactImport) => formatNumber(row[key]),
})

const columns = [
  {
    key: 'name',
    title: t('Origem'),
    cell: (row: ContactImport) => <NameCell picture={null} name={row.name} detail={row.userName ?? ''} />,
  },
  {
    key: 'state',
    title: t('Situação'),
    cell: (row: ContactImport) => {
      const { tone, text } = stateOf(row)
      return <Pill tone={tone}>{text}</Pill>
    },
  },
  count('created', t('Novos')),
  count('updated', t('Alterados')),
  count('unchanged', t('Iguais')),
  count('rejected', t('Recusados')),
  {
    key: 'at',
    title: t('Quando'),
    cell: (row: ContactImport) => <span className="g-num">{formatDateTime(row.createdAt)}</span>,
  },
]

function FileCard({ onSent }: { onSent: (id: string) => void }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const send = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    setProblem(null)
    const form = new FormData()
    form.append('dryRun', 'true')
    form.append('file', file)
    try {
      onSent((await call(contactImports.upload, { body: form }, { long: true, quiet: true })).id)
    } catch (error) {
      setProblem(sentence(error))
      setBusy(false)
    }
  }
  return (
    <Card title={t('De um arquivo')}>
      <div className={css.way}>
        <p>
          {t('CSV, Excel (XLSX) ou agenda (VCF). A primeira linha diz o que há em cada coluna: {fields}.', {
            fields: Object.values(CONTACT_FIELDS)
              .map(({ label }) => label)
              .join(', '),
          })}
        </p>
        {problem && <Notice tone="neg">{problem}</Notice>}
        <FileButton inputProps={emptiedOnClick} onChange={(file) => void send(file)} accept=".csv,.txt,.tsv,.xlsx,.vcf">
          {(button) => (
            <BusyButton {...button} busy={isBusy} doing={t('Enviando')} leftSection={<UploadIcon size={17} />}>
              {t('Escolher arquivo')}
            </BusyButton>
          )}
        </FileButton>
      </div>
    </Card>
  )
}
