import { useNavigate } from '@tanstack/react-router'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { switchCommand } from '#web/resource/switch-command.ts'
import { useTable } from '#web/resource/use-table.tsx'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DeleteIcon, EditIcon, FlowIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { useUrlState } from '#web/url-state.ts'
import { autoReplies } from '../reply-addresses.ts'
import type { AutoReply } from '../reply-contract.ts'
import { MOMENTS, replyTable } from '../reply-table.ts'
import { AutoReplyForm } from './AutoReplyForm.tsx'

const columns: readonly Column<AutoReply>[] = [
  { key: 'name', title: t('Nome'), sortable: true, cell: (row) => row.name },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  { key: 'action', title: t('Quando'), cell: (row) => MOMENTS[row.action] },
  { key: 'steps', title: t('Etapas'), numeric: true, cell: (row) => row.steps.length },
  {
    key: 'state',
    title: t('Situação'),
    cell: ({ isActive, problems }) => {
      if (problems.length > 0) return <Pill tone="neg">{t('A corrigir')}</Pill>
      return isActive ? <Pill tone="pos">{t('Ativa')}</Pill> : <Pill tone="warn">{t('Desligada')}</Pill>
    },
  },
  { key: 'attending', title: t('Atendendo'), numeric: true, cell: (row) => row.attending },
  { key: 'celularTeste', title: t('Número para teste'), cell: (row) => row.celularTeste },
]

/** Screen of auto replies. */
export function AutoReplies() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const { list, remove, bar, screen, table } = useTable({
    spec: replyTable,
    ops: autoReplies,
    rowsOf: (page) => page.autoReply,
    nameOf: (row) => row.name,
    loss: t('Ela não responde mais a ninguém, e isto não pode ser desfeito.'),
  })
  const open = (id: number | string) => setUrl({ id })
  const convert = async ({ id, name }: AutoReply) => {
    const sure = await confirm({
      title: t('Converter “{name}” em fluxo?', { name }),
      text: t(
        'Um chatbot passa a fazer o mesmo, nos mesmos momentos, e a resposta automática fica desligada. Quem ela atende agora continua no chatbot.',
      ),
      action: t('Converter em fluxo'),
    })
    if (!sure) return
    const made = await attempt(
      () => call(autoReplies.convert, { params: { id } }, { quiet: true }),
      t('Convertida: agora é um chatbot'),
    )
    if (made) void navigate({ to: '/chat-flow/builder', search: { id: made.chatFlowId } })
  }
  return (
    <ListScreen
      {...screen}
      empty={{
        title: t('Nenhuma resposta automática'),
        text: t('Uma resposta automática diz algo quando a conversa começa ou termina, e entende palavras simples.'),
      }}
      add={{ label: t('Nova resposta automática'), first: t('Criar a primeira'), run: () => open('novo') }}
      table={{
        columns,
        ...table,
        rows: list.rows,
        onOpen: (row) => open(row.id),
        commands: (row) => [
          { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => open(row.id) },
          switchCommand(autoReplies.update, row, {
            notices: { on: t('Resposta automática ligada'), off: t('Resposta automática desligada') },
          }),
          {
            id: 'convert',
            label: t('Converter em fluxo…'),
            icon: FlowIcon,
            when: () => row.problems.length === 0,
            run: () => void convert(row),
          },
          { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(row) },
        ],
      }}
    >
      {bar}
      {url.id && <AutoReplyForm key={url.id} id={url.id} onClose={() => setUrl({ id: undefined })} />}
    </ListScreen>
  )
}
