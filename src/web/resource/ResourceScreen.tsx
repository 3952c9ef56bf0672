import type { Resource } from '#kit/resource.ts'
import { attempt } from '../attempt.ts'
import { call } from '../client.ts'
import { useMay } from '../session/standing.ts'
import { t } from '../t.ts'
import { confirm } from '../ui/feedback/confirm.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { DeleteIcon, EditIcon } from '../ui/icons.ts'
import { ActiveState } from '../ui/identity/bits.tsx'
import type { Column } from '../ui/table/DataTable.tsx'
import { useUrlState } from '../url-state.ts'
import { ListScreen } from './ListScreen.tsx'
import { ResourceForm } from './ResourceForm.tsx'
import { FieldCell } from './resource-field.tsx'
import { useList } from './use-list.ts'

// Every record that can be switched off has its state in this field.
const isState = (key: string) => key === 'isActive'

type Row = { id: number } & Readonly<Record<string, unknown>>

/**
 * List and form of a plain table, drawn from its description: search and open row in the address, pages by cursor.
 * `locked` says why somebody who may write in general may not change this row.
 */
export function ResourceScreen({
  resource,
  locked = () => null,
}: {
  resource: Resource
  locked?: (row: Row) => string | null
}) {
  const { spec, ops, changed } = resource
  const [url, setUrl] = useUrlState()
  const mayWrite = useMay()(spec.can.write)
  const list = useList(ops.list, (page) => page.items as Row[], { searchParam: url.busca }, [changed])
  const word = spec.singular.toLowerCase()
  const [article, one, other, none, first] =
    spec.gender === 'f'
      ? ['a', t('Ela'), t('Nova'), t('Nenhuma'), t('Criar a primeira')]
      : ['o', t('Ele'), t('Novo'), t('Nenhum'), t('Criar o primeiro')]

  const fields = Object.entries(spec.fields)
  const listed = fields.filter(([, field], index) => field.inList ?? index < 4)
  const columns: Column<Row>[] = listed.map(([key, field]) => ({
    key,
    title: field.label,
    cell: (row) =>
      row[key] === '' ? null : isState(key) ? (
        <ActiveState isActive={row[key] === true} feminine={spec.gender === 'f'} />
      ) : (
        <FieldCell field={field} value={row[key]} />
      ),
  }))
  const open = (row: Row) => {
    const reason = locked(row)
    if (reason) notify({ id: 'locked', tone: 'info', title: reason })
    else setUrl({ id: row.id })
  }
  const remove = async (row: Row) => {
    const sure = await confirm({
      title: t('Excluir {article} {word} “{value}”?', { article, word, value: String(row[listed[0]?.[0] ?? 'id']) }),
      text: t('{one} some das listas agora, e isto não pode ser desfeito.', { one }),
      action: t('Excluir {word}', { word }),
    })
    const name = { name: spec.singular }
    const done = spec.gender === 'f' ? t('{name} excluída', name) : t('{name} excluído', name)
    const send = () => call(ops.remove, { params: { id: row.id } }, { quiet: true })
    if (sure) await attempt(send, done)
  }
  return (
    <ListScreen
      title={spec.title}
      words={[word, spec.title.toLowerCase()]}
      list={list}
      search={t('Buscar {title}', { title: spec.title.toLowerCase() })}
      empty={{
        title: `${none} ${word}`,
        text: mayWrite
          ? t('O que você criar em {title} aparece aqui.', { title: spec.title })
          : t('Peça a um administrador para criar.'),
      }}
      file={{
        name: `${spec.name}.csv`,
        most: 20_000,
        columns: fields.map(([key, { label }]) => [label, (row: Row) => row[key]] as const),
      }}
      add={mayWrite && { label: `${other} ${word}`, first, run: () => setUrl({ id: 'novo' }) }}
      table={{
        columns,
        rowKey: (row) => row.id,
        ...(mayWrite && {
          onOpen: open,
          commands: (row: Row) =>
            locked(row)
              ? []
              : [
                  { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
                  {
                    id: 'remove',
                    label: t('Excluir…'),
                    icon: DeleteIcon,
                    tone: 'neg',
                    run: () => void remove(row),
                  },
                ],
        }),
      }}
    >
      {mayWrite && url.id && (
        <ResourceForm key={url.id} resource={resource} id={url.id} onClose={() => setUrl({ id: undefined })} />
      )}
    </ListScreen>
  )
}
