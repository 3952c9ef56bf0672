import { Button } from '@mantine/core'
import { ITEM_STATE_NAMES, mayMove } from '#domain/campaigns/states.ts'
import { formatPhone } from '#domain/phone/shown.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatListTime } from '#web/format.ts'
import { download } from '#web/resource/csv.ts'
import { useList } from '#web/resource/use-list.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { DeleteIcon, DownloadIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Card, FilterChip, SearchField } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { campaigns } from '../addresses.ts'
import type { Campaign, CampaignRecipient } from '../contract.ts'
import css from './campaigns.module.css'
import { type Filter, NONE } from './report-filter.ts'

const stateText = ({ state, reason, repliedAt }: CampaignRecipient): string =>
  repliedAt ? t('Respondeu') : reason || ITEM_STATE_NAMES[state]

const columns: readonly Column<CampaignRecipient>[] = [
  {
    key: 'name',
    title: t('Nome'),
    cell: (row) => (
      <NameCell
        picture={<Avatar id={row.contactId} name={row.name} src={row.profilePicUrl} size={34} />}
        name={row.name}
        detail={formatPhone(row.number)}
      />
    ),
  },
  { key: 'message', title: t('Mensagem'), cell: (row) => (row.sentAt ? t('Mensagem {n}', { n: row.message }) : null) },
  {
    key: 'state',
    title: t('Status'),
    cell: (row) => (
      <span className={css.state} data-state={row.repliedAt ? 'replied' : row.state}>
        {stateText(row)}
      </span>
    ),
  },
  {
    key: 'at',
    title: t('Hora'),
    numeric: true,
    cell: (row) => (row.stateAt ? <span className="g-num">{formatListTime(row.stateAt)}</span> : null),
  },
]

const FORMATS = { csv: t('Planilha (CSV)'), xlsx: t('Excel (XLSX)'), pdf: t('Documento (PDF)') } as const

/** Table of a campaign's recipients with their states; `onShow` is called with the contact whose message is to be shown. */
export function Report(props: {
  row: Campaign
  onInclude: () => void
  onShow: (contactId: number) => void
  /** Id of the element in which `onShow` shows a contact. */
  shownIn: string
  /** Id of its card. */
  cardId: string
}) {
  const { row, onInclude, onShow, shownIn, cardId } = props
  const { id } = row
  const [url, setUrl] = useUrlState()
  const filter = {
    ...(url.busca ? { searchParam: url.busca } : {}),
    ...(url.state ? { state: url.state.split(',') as CampaignRecipient['state'][] } : {}),
    ...(url.replied ? { replied: 'true' } : {}),
    ...(url.optedOut ? { optedOut: 'true' } : {}),
    ...(url.clicked ? { clicked: 'true' } : {}),
    ...(url.message ? { message: url.message } : {}),
  }
  const list = useList(campaigns.contacts, (page) => page.contacts, filter as never, [], { id })
  const isEditable = mayMove(row.status, 'edit')
  return (
    <Card id={cardId} title={t('Relatório')} actions={<ReportTools id={id} isEditable={isEditable} row={row} />} flush>
      <Narrowing row={row} url={url} setUrl={setUrl} />
      {list.state === 'pending' && <SkeletonRows kind="table" />}
      {list.state === 'error' && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {list.state === 'success' && list.rows.length === 0 && (
        <EmptyState
          title={row.contactsCount === 0 ? t('Nenhum contato ainda') : t('Nenhum contato com este filtro')}
          text={
            row.contactsCount === 0
              ? t('Inclua quem recebe a campanha: por etiqueta, carteira, etapa ou um a um.')
              : t('Escolha outro filtro para ver os demais.')
          }
          {...(row.contactsCount === 0 && isEditable ? { step: { label: t('Incluir contatos'), run: onInclude } } : {})}
        />
      )}
      {list.rows.length > 0 && (
        <RecipientTable list={list} onShow={onShow} shownIn={shownIn} isEditable={isEditable} id={id} />
      )}
    </Card>
  )
}

function RecipientTable(props: {
  list: { rows: readonly CampaignRecipient[]; onEnd: () => void }
  onShow: (contactId: number) => void
  shownIn: string
  isEditable: boolean
  id: number
}) {
  const { list, onShow, shownIn, isEditable, id } = props
  return (
    <DataTable
      label={t('Contatos da campanha')}
      rows={list.rows}
      rowKey={(one) => one.id}
      columns={columns}
      onEnd={list.onEnd}
      onOpen={(one) => onShow(one.contactId)}
      controls={shownIn}
      commands={(one) => [
        {
          id: 'remove',
          label: t('Tirar da campanha'),
          icon: DeleteIcon,
          when: () => isEditable,
          run: () =>
            void attempt(
              () => call(campaigns.removeContact, { params: { id, contactId: one.contactId } }, { quiet: true }),
              t('{count} fora da campanha', { count: plural(1, t('contato'), t('contatos')) }),
            ),
        },
      ]}
    />
  )
}

function Narrowing({ row, url, setUrl }: { row: Campaign; url: Url; setUrl: SetUrl }) {
  const chips: readonly { label: string; filter: Filter }[] = [
    { label: t('Todos'), filter: {} },
    { label: t('Falhas'), filter: { state: 'failed,uncertain' } },
    { label: t('Não enviadas'), filter: { state: 'skipped' } },
    { label: t('Responderam'), filter: { replied: 'true' } },
    ...(row.clicked > 0 ? [{ label: t('Abriram o link'), filter: { clicked: 'true' } }] : []),
    { label: t('Pediram para sair'), filter: { optedOut: 'true' } },
    ...(url.message ? [{ label: t('Mensagem {n}', { n: url.message }), filter: { message: url.message } }] : []),
  ]
  const isChosen = (one: Filter) =>
    (Object.keys(NONE) as (keyof Filter)[]).every((key) => (url[key] ?? '') === (one[key] ?? ''))
  return (
    <div className={css.narrowing}>
      <FilterRow
        isNarrowed={!isChosen({})}
        onClear={() => setUrl(NONE)}
        filters={chips.map((chip) => (
          <FilterChip
            key={chip.label}
            label={chip.label}
            active={isChosen(chip.filter)}
            onClick={() => setUrl({ ...NONE, ...chip.filter })}
          />
        ))}
      >
        <SearchField
          value={url.busca ?? ''}
          onChange={(busca) => setUrl({ busca })}
          placeholder={t('Buscar contato')}
        />
      </FilterRow>
    </div>
  )
}

function ReportTools({ id, isEditable, row }: { id: number; isEditable: boolean; row: Campaign }) {
  const take = (format: keyof typeof FORMATS) =>
    attempt(async () => {
      const file = await call(campaigns.report, { params: { id }, query: { format } }, { long: true, quiet: true })
      download(`campanha-${id}.${format}`, file as Blob)
    }, t('Relatório baixado; a exportação fica registrada na auditoria.'))
  const clear = async () => {
    const sure = await confirm({
      title: t('Tirar todos os contatos da campanha?'),
      text: t('A lista da campanha fica vazia. Os contatos continuam no cadastro.'),
      action: t('Limpar campanha'),
    })
    if (sure) await attempt(() => call(campaigns.clear, { params: { id } }, { quiet: true }), t('Campanha limpa'))
  }
  return (
    <span className={css.tools}>
      {isEditable && row.contactsCount > 0 && (
        <Button variant="default" onClick={() => void clear()}>
          {t('Limpar campanha')}
        </Button>
      )}
      <CommandMenu
        label={t('Baixar relatório')}
        commands={(['csv', 'xlsx', 'pdf'] as const).map((format) => ({
          id: format,
          label: FORMATS[format],
          run: () => void take(format),
        }))}
        target={
          <Button variant="default" leftSection={<DownloadIcon size={17} />} disabled={row.contactsCount === 0}>
            {t('Baixar')}
          </Button>
        }
      />
    </span>
  )
}
