import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PROXY_TYPES } from '#domain/connections/proxies.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useTable } from '#web/resource/use-table.tsx'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { DeleteIcon, EditIcon, SignalIcon } from '#web/ui/icons.ts'
import { ActiveState, Pill } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { proxies } from '../proxies-addresses.ts'
import type { CompanyProxy } from '../proxies-contract.ts'
import { proxyTable } from '../table.ts'
import { ProxyForm } from './ProxyForm.tsx'

/** Result of the last test of a proxy. */
function Tested({ row: { testedAt, failure } }: { row: CompanyProxy }) {
  if (testedAt === null) return <Pill>{t('Nunca testado')}</Pill>
  if (failure === null) return <Pill tone="pos">{t('Respondeu em {when}', { when: formatDateTime(testedAt) })}</Pill>
  return <span>{failure}</span>
}

const columns: readonly Column<CompanyProxy>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => row.name },
  { key: 'type', title: t('Tipo'), cell: (row) => PROXY_TYPES[row.type] },
  { key: 'host', title: t('Endereço'), sortable: true, cell: (row) => `${row.host}:${row.port}` },
  {
    key: 'connections',
    title: t('Canais'),
    cell: (row) => (row.connectionCount === 0 ? null : plural(row.connectionCount, t('canal'), t('canais'))),
  },
  { key: 'tested', title: t('Teste'), cell: (row) => <Tested row={row} /> },
  { key: 'isActive', title: t('Ativo'), sortable: true, cell: (row) => <ActiveState isActive={row.isActive} /> },
]

/** Screen of the proxies for connections: create, test, update, remove. */
export function Proxies() {
  const [url, setUrl] = useUrlState()
  const [testing, setTesting] = useState<number | null>(null)
  const { data: stats } = useQuery(query(proxies.stats))
  const { remove, bar, screen, table } = useTable({
    spec: proxyTable,
    ops: proxies,
    rowsOf: (page) => page.items,
    nameOf: (row) => row.name,
  })
  const open = (id: number | string) => setUrl({ id })
  const test = async ({ id, name }: CompanyProxy) => {
    setTesting(id)
    const answer = await attempt(() => call(proxies.test, { body: { id } }, { quiet: true }))
    setTesting(null)
    if (answer) notify({ tone: answer.ok ? 'pos' : 'neg', title: name, text: answer.text })
  }
  return (
    <ListScreen
      {...screen}
      facts={
        stats?.total !== 0 &&
        stats &&
        [
          plural(stats.total, t('proxy'), t('proxies')),
          plural(stats.active, t('ativo'), t('ativos')),
          stats.failed > 0 && plural(stats.failed, t('falhou no último teste'), t('falharam no último teste')),
        ]
          .filter(Boolean)
          .join(' · ')
      }
      empty={{
        title: t('Nenhum proxy'),
        text: t('Por um proxy, o número conectado sai à internet por outro endereço. Escolha-o em cada canal.'),
      }}
      add={{ label: t('Novo proxy'), first: t('Criar o primeiro'), run: () => open('novo') }}
      table={{
        columns,
        ...table,
        onOpen: (row) => open(row.id),
        commands: (row) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
          {
            id: 'test',
            label: t('Testar'),
            icon: SignalIcon,
            when: () => testing !== row.id,
            run: () => void test(row),
          },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && <ProxyForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </ListScreen>
  )
}
