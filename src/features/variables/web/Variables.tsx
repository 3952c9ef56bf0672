import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Resource } from '#kit/resource.ts'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { choices } from '#web/choices.ts'
import { call, query, queryClient } from '#web/client.ts'
import { folded } from '#web/fold.ts'
import { on } from '#web/realtime/realtime.ts'
import { AddButton } from '#web/resource/AddButton.tsx'
import { ResourceForm } from '#web/resource/ResourceForm.tsx'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { CopyIcon, DeleteIcon, EditIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { FilterChip, Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { type Column, DataTable } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type SetUrl, type Url, useUrlState } from '#web/url-state.ts'
import { constants as at, variables } from '../addresses.ts'
import { rowsOf, type Use, type VariableRow, written } from './rows.ts'

const kinds = {
  standard: t('Do produto'),
  constant: t('Constantes'),
  field: t('Campos'),
  captured: t('De chatbots'),
  unknown: t('Desconhecidas'),
} as const

/** Pages on which each kind of text is edited. */
const spots: Readonly<Record<Use['kind'], readonly [title: string, path: string]>> = {
  fastReply: [t('Mensagem rápida'), '/mensagens-rapidas'],
  farewell: [t('Despedida'), '/fechamento'],
  absence: [t('Mensagem de ausência'), '/horario-atendimento'],
  queue: [t('Fila'), '/filas'],
  connection: [t('Encerramento do canal'), '/sessoes'],
  birthday: [t('Parabéns'), '/aniversarios'],
  macro: [t('Macro'), '/macros'],
  rule: [t('Automação'), '/automacoes'],
  flow: [t('Chatbot'), '/chat-flow/builder'],
  autoReply: [t('Resposta automática'), '/auto-resposta'],
  setting: [t('Configuração'), '/configuracoes/geral'],
  rating: [t('Avaliação'), '/avaliacoes/configurar'],
}
const without: readonly Use['kind'][] = ['absence', 'birthday', 'setting', 'rating']

const columns: Column<VariableRow>[] = [
  {
    key: 'name',
    title: t('Variável'),
    cell: (row) => (
      <NameCell name={written(row.name)} detail={row.label}>
        {row.kind === 'unknown' && <Pill tone="warn">{t('Desconhecida')}</Pill>}
      </NameCell>
    ),
  },
  {
    key: 'example',
    title: t('Exemplo'),
    cell: (row) => row.example && <span className="g-cut">{row.example}</span>,
  },
  { key: 'uses', title: t('Usada em'), cell: (row) => (row.uses.length > 0 ? <UsedIn row={row} /> : null) },
]

/** Page of all variables: a current example, and the texts that use each. */
export function Variables({ constants }: { constants: Resource }) {
  const [url, setUrl] = useUrlState()
  const own = useQuery(choices('variables'))
  useEffect(
    () => on(constants.changed, () => void queryClient.invalidateQueries({ queryKey: [variables.list.family] })),
    [constants],
  )
  const uses = useQuery(query(variables.uses))
  const error = own.error ?? uses.error
  const all = own.data && uses.data ? rowsOf(own.data, uses.data.uses) : null
  const wanted = folded(url.busca ?? '')
  const rows = (all ?? []).filter(
    ({ name, label, example, kind }) =>
      (!url.tipo || url.tipo === kind) && folded(`${name} ${label} ${example}`).includes(wanted),
  )
  return (
    <Page>
      <PageHeader
        title={t('Variáveis')}
        facts={t('O que se escreve entre chaves duplas vira o dado de cada conversa; o exemplo é como sairia agora.')}
        actions={<AddButton label={t('Nova constante')} run={() => setUrl({ id: 'novo' })} />}
      />
      <VariableFilters url={url} setUrl={setUrl} />
      {error && <LoadError text={sentence(error)} retry={() => void Promise.all([own.refetch(), uses.refetch()])} />}
      {!error && all === null && <SkeletonRows kind="table" />}
      {all !== null && rows.length === 0 && (
        <EmptyState
          title={t('Nenhuma variável com este filtro')}
          text={t('Confira o que foi digitado e o que está escolhido, ou veja a lista inteira.')}
          step={{ label: t('Limpar filtros'), run: () => setUrl({ busca: undefined, tipo: undefined }) }}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label={t('Variáveis')}
          rows={rows}
          rowKey={(row) => `${row.kind} ${row.name}`}
          columns={columns}
          commands={(row) => commandsOf(row, setUrl)}
        />
      )}
      {url.id && (
        <ResourceForm key={url.id} resource={constants} id={url.id} onClose={() => setUrl({ id: undefined })} />
      )}
    </Page>
  )
}

function VariableFilters({ url, setUrl }: { url: Url; setUrl: SetUrl }) {
  return (
    <FilterRow>
      <SearchField
        value={url.busca ?? ''}
        onChange={(busca) => setUrl({ busca })}
        placeholder={t('Buscar variáveis')}
      />
      {Object.entries(kinds).map(([kind, label]) => (
        <FilterChip
          key={kind}
          label={label}
          active={url.tipo === kind}
          onClick={() => setUrl({ tipo: url.tipo === kind ? undefined : kind })}
        />
      ))}
    </FilterRow>
  )
}

const commandsOf = (row: VariableRow, setUrl: SetUrl): readonly Command[] => [
  { id: 'copy', label: t('Copiar'), icon: CopyIcon, run: () => void copy(row) },
  {
    id: 'edit',
    label: t('Editar'),
    icon: EditIcon,
    when: () => row.id > 0,
    run: () => setUrl({ id: row.id }),
  },
  {
    id: 'remove',
    label: t('Excluir…'),
    icon: DeleteIcon,
    tone: 'neg',
    when: () => row.id > 0,
    run: () => void remove(row),
  },
]

async function remove(row: VariableRow): Promise<void> {
  const sure = await confirm({
    title: t('Excluir a constante “{name}”?', { name: row.name }),
    text: t('Nenhum texto pode estar usando esta constante. Isto não pode ser desfeito.'),
    action: t('Excluir constante'),
  })
  if (sure) await attempt(() => call(at.remove, { params: { id: row.id } }, { quiet: true }), t('Constante excluída'))
}

async function copy({ name }: VariableRow): Promise<void> {
  try {
    await navigator.clipboard.writeText(written(name))
    notify({ tone: 'pos', title: t('Copiada: {name}', { name: written(name) }) })
  } catch {
    // Over plain http there is no clipboard.
    notify({ tone: 'warn', title: t('O navegador não deixou copiar.') })
  }
}

/** List of the texts that use a variable, each linked to its editor. */
function UsedIn({ row }: { row: VariableRow }) {
  const navigate = useNavigate()
  const count = plural(row.uses.length, t('texto'), t('textos'))
  return (
    <CommandMenu
      position="bottom-start"
      commands={row.uses.map((use) => {
        const [word, path] = spots[use.kind]
        return {
          id: `${use.kind} ${use.id} ${use.name}`,
          label: use.title ? `${word}: ${use.title}` : word,
          run: () => void navigate({ to: path, search: without.includes(use.kind) ? {} : { id: use.id } }),
        }
      })}
      target={
        <Button variant="default" size="sm" aria-label={t('{count} com {name}', { count, name: written(row.name) })}>
          {count}
        </Button>
      }
    />
  )
}
