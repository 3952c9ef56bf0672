import { Button, FileButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { settings, settingsEvents } from '#features/settings/addresses.ts'
import { ticketCommands } from '#features/tickets/commands-addresses.ts'
import { attempt } from '#web/attempt.ts'
import { call, queryClient } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { download } from '#web/resource/csv.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import {
  CheckIcon,
  CopyIcon,
  DeleteIcon,
  EditIcon,
  ExportIcon,
  FlowIcon,
  SignalIcon,
  UndoIcon,
  UploadIcon,
} from '#web/ui/icons.ts'
import { ActiveState, Pill } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { flowEvents, flows } from '../addresses.ts'
import { FlowForm } from './FlowForm.tsx'
import { type FlowRow, usesOf } from './flow-row.ts'
import { refusalText } from './refusal.ts'
import { UsedBy } from './UsedBy.tsx'

const columns: readonly Column<FlowRow>[] = [
  { key: 'name', title: t('Nome'), cell: (row) => row.name },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  { key: 'isActive', title: t('Ativo'), cell: (row) => <ActiveState isActive={row.isActive} /> },
  {
    key: 'version',
    title: t('Publicado'),
    cell: (row) =>
      row.version ? (
        <>
          {t('Versão {version}', { version: row.version })}{' '}
          {row.isUnpublished && <Pill tone="warn">{t('Alterações não publicadas')}</Pill>}
        </>
      ) : (
        <Pill>{t('Só rascunho')}</Pill>
      ),
  },
  { key: 'connections', title: t('Usado em'), cell: (row) => usesOf(row).join(', ') },
  { key: 'celularTeste', title: t('Número para teste'), cell: (row) => row.celularTeste },
]

const lossOf = (row: FlowRow): string => {
  const uses = usesOf(row).join(', ')
  const rest = t('O que ele já atende continua até o fim, e isto não pode ser desfeito.')
  return uses === ''
    ? `${t('Nada o usa.')} ${rest}`
    : `${t('Ele deixa de atender onde é usado: {uses}.', { uses })} ${rest}`
}

/** Screen of chat flows. */
export function Flows() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const may = useMay()
  const mayConnect = may('connections:write')
  const maySet = may('settings:write')
  const [used, setUsed] = useState<FlowRow | null>(null)
  const made = useRef<number | null>(null)
  const into = useRef<FlowRow | null>(null)
  const choose = useRef<() => void>(null)
  const list = useList(ticketCommands.chatFlows, (page) => page.chatFlow, {}, [
    flowEvents.changed,
    settingsEvents.changed,
  ])
  const wanted = folded(url.busca ?? '')
  const rows = list.rows.filter((row) => folded(row.name).includes(wanted))
  const build = (id: number) => void navigate({ to: '/chat-flow/builder', search: { id } })

  const remove = async (row: FlowRow) => {
    const sure = await confirm({
      title: t('Excluir o chatbot “{name}”?', { name: row.name }),
      text: lossOf(row),
      action: t('Excluir chatbot'),
    })
    if (sure)
      await attempt(() => call(flows.remove, { params: { id: row.id } }, { quiet: true }), t('Chatbot excluído'))
  }
  const duplicate = (row: FlowRow) =>
    attempt(() => call(flows.duplicate, { body: { id: row.id } }, { quiet: true }), t('Chatbot copiado, desligado'))
  const setDefault = ({ id, isDefault }: FlowRow) =>
    attempt(
      async () => {
        const key = 'botTicketActive'
        await call(
          settings.set,
          { params: { key }, body: { key, value: isDefault ? '' : String(id) } },
          { quiet: true },
        )
        await queryClient.invalidateQueries({ queryKey: [ticketCommands.chatFlows.family] })
      },
      isDefault
        ? t('Canais sem chatbot próprio não têm mais nenhum')
        : t('Ele atende as conversas novas dos canais sem chatbot próprio'),
    )
  const exportOne = (row: FlowRow) =>
    attempt(async () => {
      const { flow } = await call(flows.get, { params: { id: row.id } }, { quiet: true })
      download(`${row.name}.json`, JSON.stringify(flow, null, 2), 'application/json')
    })
  const importFile = async (file: File | null) => {
    if (!file) return
    const row = into.current
    const sure =
      !row ||
      (await confirm({
        title: t('Trocar o rascunho de “{name}”?', { name: row.name }),
        text: t('O rascunho de agora é substituído pelo fluxo do arquivo. O que está publicado não muda.'),
        action: t('Trocar o rascunho'),
      }))
    if (!sure) return
    await attempt(async () => {
      const body = await file.text()
      const id =
        row?.id ?? (await call(flows.create, { body: { name: nameOf(file), isActive: false } }, { quiet: true })).id
      try {
        const { problems } = await call(flows.import, { params: { id }, body: parsed(body) }, { quiet: true })
        const count = plural(problems.length, t('ponto a conferir'), t('pontos a conferir'))
        notify({
          tone: problems.length > 0 ? 'warn' : 'pos',
          title: row ? t('Rascunho trocado pelo do arquivo') : t('Chatbot importado, desligado'),
          ...(problems.length > 0 ? { text: t('Ele tem {count}.', { count }) } : {}),
          action: { label: t('Abrir no construtor'), run: () => build(id) },
        })
      } catch (error) {
        // Removes the empty flow if the imported file is invalid.
        if (!row) await call(flows.remove, { params: { id } }, { quiet: true })
        notify({ tone: 'neg', title: refusalText(error) })
      }
    })
  }
  const pick = (row: FlowRow | null) => {
    into.current = row
    choose.current?.()
  }

  return (
    <ListScreen
      title={t('Chatbots')}
      nouns={[t('chatbot'), t('chatbots')]}
      list={{ ...list, rows } as never}
      facts={list.first && plural(list.rows.length, t('chatbot'), t('chatbots'))}
      search={t('Buscar chatbots')}
      empty={{
        title: t('Nenhum chatbot'),
        text: t('Um chatbot recebe o cliente, pergunta o que ele precisa e o leva à pessoa certa.'),
      }}
      add={{ label: t('Novo chatbot'), first: t('Criar o primeiro'), run: () => setUrl({ id: 'novo' }) }}
      actions={
        <FileButton accept="application/json,.json" onChange={(file) => void importFile(file)}>
          {({ onClick }) => {
            choose.current = onClick
            return (
              <Button variant="default" leftSection={<UploadIcon size={17} />} onClick={() => pick(null)}>
                {t('Importar JSON')}
              </Button>
            )
          }}
        </FileButton>
      }
      table={{
        columns,
        rowKey: (row: FlowRow) => row.id,
        hrefOf: ({ id }) => `/chat-flow/builder?id=${id}`,
        onOpen: (row: FlowRow) => build(row.id),
        commands: (row: FlowRow) => [
          { id: 'build', label: t('Abrir no construtor'), icon: FlowIcon, run: () => build(row.id) },
          { id: 'edit', label: t('Editar dados'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
          {
            id: 'used',
            label: t('Canais que o usam…'),
            icon: SignalIcon,
            when: () => mayConnect,
            run: () => setUsed(row),
          },
          {
            id: 'default',
            label: row.isDefault ? t('Deixar de ser o padrão da empresa') : t('Tornar o padrão da empresa'),
            icon: row.isDefault ? UndoIcon : CheckIcon,
            when: () => maySet && (row.isDefault || row.version !== null),
            run: () => void setDefault(row),
          },
          { id: 'copy', label: t('Duplicar'), icon: CopyIcon, run: () => void duplicate(row) },
          { id: 'export', label: t('Exportar JSON'), icon: ExportIcon, run: () => void exportOne(row) },
          { id: 'import', label: t('Importar JSON…'), icon: UploadIcon, run: () => pick(row) },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {url.id && (
        <FlowForm
          key={url.id}
          id={url.id}
          row={list.rows.find((row) => String(row.id) === url.id)}
          onMade={(id) => {
            made.current = id
          }}
          onClose={() => (made.current === null ? setUrl({ id: undefined }) : build(made.current))}
        />
      )}
      {used && <UsedBy row={used} onClose={() => setUsed(null)} />}
    </ListScreen>
  )
}

const nameOf = (file: File) => file.name.replace(/\.json$/i, '').slice(0, 100) || t('Chatbot importado')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
