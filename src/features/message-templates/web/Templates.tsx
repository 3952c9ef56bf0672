import { useState } from 'react'
import { firstOf } from '#domain/present.ts'
import type { ProviderPart } from '#features/connections/web/index.ts'
import { typeNames } from '#kit/channel-types.ts'
import { capabilitiesOf } from '#providers/channels/configs.ts'
import { type Choices, useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CopyIcon, DeleteIcon, EditIcon, RefreshIcon, SendIcon } from '#web/ui/icons.ts'
import { Pill, type Tone } from '#web/ui/identity/badges.tsx'
import { ChannelTile } from '#web/ui/identity/ChannelTile.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { messageTemplates, templateEvents } from '../addresses.ts'
import type { MessageTemplateRow } from '../contract.ts'
import { CATEGORIES, QUALITIES, STATUSES, templateTable } from '../table.ts'
import { languageName } from './languages.ts'
import { refusalText, rejectionText } from './provider-texts.ts'
import { TemplateForm } from './TemplateForm.tsx'
import { TestTemplate } from './TestTemplate.tsx'

const TONES: Readonly<Partial<Record<MessageTemplateRow['status'], Tone>>> = {
  ...{ APPROVED: 'pos', PENDING: 'info', IN_APPEAL: 'info', REJECTED: 'neg', DISABLED: 'neg', PAUSED: 'warn' },
}
const QUALITY_TONES = { GREEN: 'pos', YELLOW: 'warn', RED: 'neg' } as const

const columns = (connectionName: (id: number) => string): readonly Column<MessageTemplateRow>[] => [
  {
    key: 'name',
    title: t('Nome'),
    sortable: true,
    cell: ({ name, language, reason }) => (
      <NameCell name={name} detail={reason ? rejectionText(reason) : languageName(language)} />
    ),
  },
  { key: 'category', title: t('Categoria'), sortable: true, cell: ({ category }) => CATEGORIES[category] },
  {
    key: 'status',
    title: t('Situação'),
    sortable: true,
    cell: ({ status }) => <Pill tone={TONES[status] ?? 'plain'}>{STATUSES[status]}</Pill>,
  },
  {
    key: 'quality',
    title: t('Qualidade'),
    sortable: true,
    cell: ({ quality }) => quality && <Pill tone={QUALITY_TONES[quality]}>{QUALITIES[quality]}</Pill>,
  },
  { key: 'connection', title: t('Canal'), cell: ({ whatsappId }) => connectionName(whatsappId) },
  { key: 'updatedAt', title: t('Atualizado'), cell: ({ updatedAt }) => formatDateTime(updatedAt) },
]

/** Page of a provider's message templates: sync, create, change, test, delete. */
export const Templates: ProviderPart = ({ config, tabs }) => {
  const [url, setUrl] = useUrlState()
  const [tried, setTried] = useState<MessageTemplateRow | null>(null)
  const may = useMay()('templates:write')
  const mayWrite = may && !config.readsTemplates
  const all = useChoices('connections')
  const connections = all.filter(({ type }) => typeNames(config.types).includes(type) && capabilitiesOf(type).templates)
  const chosen = connections.find(({ id }) => String(id) === url['canal'])
  const { remove, bar, screen, table } = useTable({
    spec: templateTable,
    ops: messageTemplates,
    rowsOf: (page) => page.items,
    live: [templateEvents.changed],
    also: { whatsappId: url['canal'] },
    nameOf: ({ name, language }) => `${name} · ${language}`,
    loss: t('Ele some também na conta do provedor, e isto não pode ser desfeito.'),
    onRefused(_, error) {
      notify({ tone: 'neg', title: refusalText(error) })
      return true
    },
    mayWrite,
  })
  const open = (id: number | string, de?: number) => setUrl({ id, de })
  const { file: _, ...shown } = screen
  return (
    <ListScreen
      {...shown}
      heading={config.settings.name}
      icon={<ChannelTile type={firstOf(config.types).type} />}
      note={tabs}
      filterNames={[...screen.filterNames, 'canal']}
      filters={
        <>
          {screen.filters}
          {connections.length > 1 && <ChannelFilter connections={connections} chosen={chosen} setUrl={setUrl} />}
        </>
      }
      empty={emptyOf(connections)}
      actions={may && connections.length > 0 && <SyncButton connections={chosen ? [chosen] : connections} />}
      add={
        mayWrite &&
        connections.length > 0 && { label: t('Novo modelo'), first: t('Criar o primeiro'), run: () => open('novo') }
      }
      table={{
        columns: columns((id) => all.find((one) => one.id === id)?.name ?? ''),
        ...table,
        ...(mayWrite && { onOpen: (row: MessageTemplateRow) => open(row.id) }),
        ...(may && {
          commands: (row: MessageTemplateRow) => commandsOf(row, { open, mayWrite, setTried, remove }),
        }),
      }}
    >
      {bar}
      {mayWrite && connections.length > 0 && <OpenTemplate url={url} connections={connections} setUrl={setUrl} />}
      {tried && <TestTemplate template={tried} onClose={() => setTried(null)} />}
    </ListScreen>
  )
}

type Connections = readonly Choices['connections'][]

function OpenTemplate({ url, connections, setUrl }: { url: Url; connections: Connections; setUrl: SetUrl }) {
  return (
    url['id'] && (
      <TemplateForm
        key={`${url['id']} ${url['de']}`}
        id={url['id']}
        from={url['de']}
        connections={connections}
        onClose={() => setUrl({ id: undefined, de: undefined })}
      />
    )
  )
}

function emptyOf(connections: Connections) {
  return {
    title: t('Nenhum modelo de mensagem'),
    text:
      connections.length > 0
        ? t('Com um modelo aprovado se começa uma conversa, e se retoma depois que a janela fecha.')
        : t('Conecte antes um número: os modelos da conta dele aparecem aqui.'),
  }
}

function ChannelFilter(props: { connections: Connections; chosen: Connections[number] | undefined; setUrl: SetUrl }) {
  const { connections, chosen, setUrl } = props
  return (
    <ChoiceFilter
      label={t('Canal')}
      options={connections}
      chosen={chosen ? [chosen.id] : []}
      onChange={(ids) => setUrl({ canal: ids.at(-1) })}
    />
  )
}

type RowActs = {
  open: (id: string | number, de?: number) => void
  mayWrite: boolean
  setTried: (row: MessageTemplateRow) => void
  remove: (row: MessageTemplateRow) => Promise<void>
}

function commandsOf(row: MessageTemplateRow, { open, mayWrite, setTried, remove }: RowActs): readonly Command[] {
  return [
    { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id), when: () => mayWrite },
    {
      ...{ id: 'copy', label: t('Duplicar'), icon: CopyIcon, run: () => open('novo', row.id) },
      when: () => mayWrite && !row.isForeign,
    },
    {
      ...{ id: 'test', label: t('Testar em um número…'), icon: SendIcon, run: () => setTried(row) },
      when: () => row.problem === null,
    },
    {
      ...{ id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
      when: () => mayWrite,
    },
  ]
}

/** Button that reads the accounts' templates from their provider; a failing account does not stop the others. */
function SyncButton({ connections }: { connections: readonly { id: number; name: string }[] }) {
  const [busy, setBusy] = useState(false)
  const sync = async () => {
    setBusy(true)
    let count = 0
    const failed: string[] = []
    for (const { id, name } of connections)
      await call(messageTemplates.sync, { body: { whatsappId: id } }, { quiet: true, long: true }).then(
        (read) => {
          count += read.count
        },
        (error: unknown) => void failed.push(`${name}: ${refusalText(error)}`),
      )
    setBusy(false)
    if (failed.length < connections.length)
      notify({ tone: 'pos', title: t('{count} no provedor', { count: plural(count, t('modelo'), t('modelos')) }) })
    for (const title of failed) notify({ tone: 'neg', title })
  }
  return (
    <BusyButton
      variant="default"
      leftSection={<RefreshIcon size={17} />}
      busy={busy}
      doing={t('Sincronizando')}
      onClick={() => busy || void sync()}
    >
      {t('Sincronizar')}
    </BusyButton>
  )
}
