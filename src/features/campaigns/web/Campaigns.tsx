import { useNavigate } from '@tanstack/react-router'
import { formatDateTime, formatNumber } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Usage } from '#web/ui/identity/Usage.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { campaignEvents, campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import { CampaignForm } from './CampaignForm.tsx'
import { useCampaignCommands } from './commands.ts'
import { STATUSES } from './labels.ts'

const doneOf = ({ contactsCount, waiting }: Campaign): number => contactsCount - waiting

const columns: readonly Column<Campaign>[] = [
  {
    key: 'name',
    title: t('Campanha'),
    cell: (row) => <NameCell name={row.name} detail={row.sessionName || t('Canal removido')} />,
  },
  { key: 'start', title: t('Início'), cell: (row) => <span className="g-num">{formatDateTime(row.start)}</span> },
  {
    key: 'status',
    title: t('Status'),
    cell: (row) => <Pill tone={STATUSES[row.status].tone}>{STATUSES[row.status].label}</Pill>,
  },
  {
    key: 'done',
    title: t('Processadas'),
    cell: (row) => (row.contactsCount > 0 ? <Usage used={doneOf(row)} limit={row.contactsCount} /> : null),
  },
  { key: 'waiting', title: t('Fila para envio'), numeric: true, cell: (row) => formatNumber(row.waiting) },
  { key: 'read', title: t('Lidas'), numeric: true, cell: (row) => formatNumber(row.read) },
  { key: 'replied', title: t('Responderam'), numeric: true, cell: (row) => formatNumber(row.replied) },
]

const statuses = Object.entries(STATUSES).map(([id, { label: name }]) => ({ id, name }))

const FILE: CsvFile<Campaign> = {
  name: 'campanhas.csv',
  most: 10_000,
  columns: [
    ['ID', (row) => row.id],
    [t('Campanha'), (row) => row.name],
    [t('Início'), (row) => formatDateTime(row.start)],
    [t('Status'), (row) => STATUSES[row.status].label],
    [t('Contatos'), (row) => row.contactsCount],
    [t('Fila para envio'), (row) => row.waiting],
    [t('Enviadas'), (row) => row.sent + row.delivered + row.read],
    [t('Lidas'), (row) => row.read],
    [t('Falhas'), (row) => row.failed],
    [t('Responderam'), (row) => row.replied],
    [t('Pediram para sair'), (row) => row.optedOut],
  ],
}

/** Screen of the company's campaigns, newest first. */
export function Campaigns() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const chosen = (url.status ?? '').split(',').filter((one) => one !== '')
  const filter = {
    ...(url.busca ? { searchParam: url.busca } : {}),
    ...(chosen.length > 0 ? { status: chosen as Campaign['status'][] } : {}),
  }
  const list = useList(campaigns.list, (page) => page.campaigns, filter, [
    campaignEvents.changed,
    campaignEvents.progress,
  ])
  const commands = useCampaignCommands((id) => setUrl({ id }))
  return (
    <ListScreen
      title={t('Campanhas')}
      nouns={[t('campanha'), t('campanhas')]}
      list={list}
      search={t('Buscar campanha')}
      filterNames={['status']}
      filters={
        <ChoiceFilter
          label={t('Status')}
          options={statuses}
          chosen={chosen}
          onChange={(ids) => setUrl({ status: ids.join(',') || undefined })}
        />
      }
      empty={{
        title: t('Nenhuma campanha'),
        text: t('Uma campanha escreve a muitos contatos no ritmo que o número aguenta, e mostra quem leu e respondeu.'),
      }}
      add={{ label: t('Nova campanha'), first: t('Criar a primeira'), run: () => setUrl({ id: 'novo' }) }}
      file={FILE}
      table={{
        columns,
        rowKey: (row) => row.id,
        onOpen: (row) => void navigate({ to: `/campanhas/${row.id}` as never }),
        hrefOf: (row) => `/campanhas/${row.id}`,
        commands,
      }}
    >
      {url.id && <CampaignForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </ListScreen>
  )
}
