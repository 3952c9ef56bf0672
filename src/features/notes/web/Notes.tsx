import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { messageEvents } from '#features/ledger/event-addresses.ts'
import { messages } from '#features/messages/addresses.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, queryClient } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { ticketNotes } from '../addresses.ts'
import type { NoteRow } from '../contract.ts'
import css from './written.module.css'
import { dateColumn, ticketColumn, useWrittenFilter, WrittenList } from './written-list.tsx'

const columns: readonly Column<NoteRow>[] = [
  { key: 'notes', title: t('Nota'), cell: (row) => <span className={css.text}>{row.notes}</span> },
  { key: 'user', title: t('Usuário'), width: 180, cell: (row) => row.user?.name },
  { key: 'contact', title: t('Contato'), width: 200, cell: (row) => row.contactName },
  ticketColumn(),
  dateColumn,
]

const file: CsvFile<NoteRow> = {
  name: 'notas.csv',
  most: 20_000,
  columns: [
    [t('Nota'), (row) => row.notes],
    [t('Usuário'), (row) => row.user?.name],
    [t('Contato'), (row) => row.contactName],
    [t('Atendimento'), (row) => row.ticketId],
    [t('Data'), (row) => formatDateTime(row.timestamp)],
  ],
}

const reload = () => queryClient.invalidateQueries({ queryKey: [ticketNotes.list.family] })

/** Page of internal notes in visible tickets; authors and leads may change and delete them. */
export function Notes() {
  const [editing, setEditing] = useState<NoteRow | null>(null)
  const filter = useWrittenFilter()
  const live = [messageEvents.create, messageEvents.update, messageEvents.remove]
  const list = useList(ticketNotes.list, (page) => page.ticketNotes, filter, live)
  const remove = async (row: NoteRow) => {
    const text = t('Ela fica cinza na conversa, para a equipe, e some desta lista.')
    if (!(await confirm({ title: t('Apagar a nota?'), text, action: t('Apagar nota') }))) return
    await attempt(() => call(messages.remove, { body: { id: row.id } }, { quiet: true }), t('Nota apagada'))
    await reload()
  }
  return (
    <WrittenList
      title={t('Notas')}
      nouns={[t('nota'), t('notas')]}
      list={list}
      columns={columns}
      search={t('Nota, contato ou atendimento')}
      empty={{ title: t('Nenhuma nota'), text: t('As notas internas dos atendimentos que você vê aparecem aqui.') }}
      file={file}
      commands={(row) => [
        { id: 'edit', label: t('Editar'), icon: EditIcon, when: () => row.mayChange, run: () => setEditing(row) },
        {
          id: 'remove',
          label: t('Apagar…'),
          icon: DeleteIcon,
          tone: 'neg',
          when: () => row.mayChange,
          run: () => void remove(row),
        },
      ]}
    >
      {editing && <EditNote note={editing} onClose={() => setEditing(null)} />}
    </WrittenList>
  )
}

function EditNote({ note, onClose }: { note: NoteRow; onClose: () => void }) {
  const [text, setText] = useState(note.notes)
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    if (text.trim() === '') return setProblem(t('Escreva a nota.'))
    try {
      await call(messages.change, { params: { id: note.id }, body: { body: text.trim() } }, { quiet: true })
      notify({ tone: 'pos', title: t('Nota salva') })
      await reload()
      onClose()
    } catch (error) {
      setProblem(sentence(error))
    }
  }
  return (
    <FormDialog
      title={t('Editar nota')}
      action={t('Salvar')}
      unsaved={text !== note.notes && t('A nota ainda não foi salva.')}
      onSubmit={save}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        autosize
        minRows={3}
        maxRows={12}
        label={t('Nota')}
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
