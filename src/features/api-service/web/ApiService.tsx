import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SecretDialog } from '#web/ui/feedback/SecretDialog.tsx'
import { DeleteIcon, DownloadIcon, EditIcon, InfoIcon, PauseIcon, PlayIcon, RefreshIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { apiKeyEvents, apiKeys } from '../addresses.ts'
import type { ApiKey } from '../contract.ts'
import { Approvals } from './Approvals.tsx'
import { Examples } from './Examples.tsx'
import { KeyForm } from './KeyForm.tsx'
import { collectionOf } from './postman.ts'

const DOCUMENT = '/v2/api/external/openapi.json'

const columns: readonly Column<ApiKey>[] = [
  { key: 'name', title: t('Nome'), cell: (row) => row.name },
  { key: 'session', title: t('Enviar por'), cell: (row) => row.session },
  { key: 'user', title: t('Age como'), cell: (row) => row.user },
  { key: 'hint', title: t('Token'), cell: (row) => `••••${row.hint}` },
  {
    key: 'state',
    title: t('Situação'),
    cell: (row) => <Pill tone={row.isActive ? 'pos' : 'plain'}>{row.isActive ? t('Ligada') : t('Desligada')}</Pill>,
  },
  {
    key: 'used',
    title: t('Último uso'),
    cell: (row) => (row.lastUsedAt ? `${formatDateTime(row.lastUsedAt)} · ${row.lastAddress}` : t('Nunca')),
  },
]

/** Page of API keys and pending approvals. */
export function ApiService() {
  const [url, setUrl] = useUrlState()
  const isKeys = url.aba !== 'aprovacoes'
  const view = (
    <SegmentedControl
      aria-label={t('O que mostrar')}
      value={isKeys ? 'chaves' : 'aprovacoes'}
      onChange={(aba) => setUrl({ aba: aba === 'chaves' ? undefined : aba, quais: undefined, busca: undefined })}
      data={[
        { value: 'chaves', label: t('Chaves') },
        { value: 'aprovacoes', label: t('Aprovações') },
      ]}
    />
  )
  return isKeys ? <Keys view={view} /> : <Approvals view={view} />
}

/** List of API keys: create, limit, renew, examples. */
function Keys({ view }: { view: ReactNode }) {
  const [url, setUrl] = useUrlState()
  const [token, setToken] = useState<string | null>(null)
  const [shown, setShown] = useState<ApiKey | null>(null)
  const list = useList(apiKeys.list, (page) => page.items, { searchParam: url.busca }, [apiKeyEvents.changed])
  const open = (id: string) => setUrl({ id })
  return (
    <ListScreen
      title={t('API')}
      nouns={[t('chave'), t('chaves')]}
      search={t('Buscar chaves')}
      list={list}
      view={view}
      empty={{
        title: t('Nenhuma chave'),
        text: t('Com uma chave, outro programa envia mensagens, abre atendimentos e consulta contatos.'),
      }}
      add={{ label: t('Nova chave'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns,
        rowKey: (row) => row.id,
        onOpen: (row) => open(row.id),
        commands: (row) => commandsOf(row, { open, use: setShown, renewed: setToken }),
      }}
    >
      {url.id && (
        <KeyForm
          key={url.id}
          id={url.id}
          onMade={(made) => setToken(made.token)}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      {shown && <Examples apiKey={shown} onClose={() => setShown(null)} />}
      {token && (
        <SecretDialog
          title={t('Token da API')}
          text={t('O programa o envia em cada pedido, no cabeçalho Authorization: Bearer.')}
          secret={token}
          onClose={() => setToken(null)}
        />
      )}
    </ListScreen>
  )
}

type Doors = {
  open: (id: string) => void
  use: (row: ApiKey) => void
  renewed: (token: string) => void
}

function commandsOf(row: ApiKey, { open, use, renewed }: Doors): Command[] {
  return [
    { id: 'use', label: t('Como usar'), icon: InfoIcon, run: () => use(row) },
    { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
    {
      id: 'toggle',
      label: row.isActive ? t('Desligar') : t('Ligar'),
      icon: row.isActive ? PauseIcon : PlayIcon,
      run: () => void toggle(row),
    },
    { id: 'renew', label: t('Gerar novo token…'), icon: RefreshIcon, run: () => void renew(row, renewed) },
    { id: 'postman', label: t('Baixar para o Postman'), icon: DownloadIcon, run: () => void download(row) },
    { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
  ]
}

const remove = async ({ id, name }: ApiKey) => {
  const isSure = await confirm({
    title: t('Excluir a chave “{name}”?', { name }),
    text: t('O programa que a usa para de funcionar agora, e isto não pode ser desfeito.'),
    action: t('Excluir chave'),
  })
  if (isSure) await attempt(() => call(apiKeys.remove, { params: { id } }, { quiet: true }), t('Chave excluída'))
}

const renew = async ({ id, name }: ApiKey, renewed: Doors['renewed']) => {
  const isSure = await confirm({
    title: t('Gerar novo token para “{name}”?', { name }),
    text: t('O token atual continua a valer por 24 horas, para que haja tempo de trocá-lo.'),
    action: t('Gerar novo token'),
  })
  if (!isSure) return
  const answer = await attempt(() => call(apiKeys.renew, { params: { id } }, { quiet: true }))
  if (answer) renewed(answer.token)
}

/** Downloads the API as a Postman collection of one key. */
const download = ({ id, name }: ApiKey) =>
  attempt(async () => {
    const document = await (await fetch(DOCUMENT)).json()
    const file = new Blob([
      JSON.stringify(collectionOf(document, { origin: location.origin, apiId: id, name }), null, 2),
    ])
    const link = Object.assign(window.document.createElement('a'), {
      href: URL.createObjectURL(file),
      download: 'guiche.postman_collection.json',
    })
    link.click()
    URL.revokeObjectURL(link.href)
  })

const toggle = ({ id, isActive }: ApiKey) =>
  attempt(
    () => call(apiKeys.update, { params: { id }, body: { isActive: !isActive } }, { quiet: true }),
    isActive ? t('Chave desligada') : t('Chave ligada'),
  )
