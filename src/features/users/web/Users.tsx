import { Button, Tooltip } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { PROFILES, type Profile } from '#domain/access/profiles.ts'
import { secondFactor } from '#features/second-factor/contract.ts'
import { sentence } from '#web/api.ts'
import { call, pages } from '#web/client.ts'
import { csv, download } from '#web/resource/csv.ts'
import { readAll } from '#web/resource/read-all.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { roleNames } from '#web/roles.ts'
import { viewer } from '#web/session.ts'
import { plural } from '#web/t.ts'
import { ChoiceFilter } from '#web/ui/choice-filter.tsx'
import { ColumnChooser, useColumns } from '#web/ui/column-chooser.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { AddIcon, ExportIcon, PersonIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type UserRow, users } from '../contract.ts'
import { isAbove, userColumns } from './columns.tsx'
import { userCommands } from './commands.ts'
import { type Section, sections } from './form-values.ts'
import { type Invitation, InviteLink } from './InviteLink.tsx'
import { useLiveUsers } from './live.ts'
import { useConnectionOptions, useQueueOptions } from './options.ts'
import { UserForm } from './UserForm.tsx'

const exportLimit = 5000
const roles = PROFILES.map((id) => ({ id, name: roleNames[id] }))
const states = [
  { id: 'active', name: 'Ativos' },
  { id: 'inactive', name: 'Inativos' },
] as const
type State = (typeof states)[number]['id']

const quiet = { quiet: true }

/** The people of the company: search and filters in the address, columns by choice, a drawer to edit, all of it as CSV. */
export function Users() {
  const [url, setUrl] = useUrlState()
  const navigate = useNavigate()
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const queues = useQueueOptions()
  const connections = useConnectionOptions()
  useLiveUsers('users')
  const filter = useMemo(
    () => ({
      searchParam: url.busca,
      profile: url.perfil ? (url.perfil.split(',') as Profile[]) : [],
      queueId: Number(url.fila) || undefined,
      status: (states.some(({ id }) => id === url.situacao) ? url.situacao : 'all') as State | 'all',
    }),
    [url.busca, url.perfil, url.fila, url.situacao],
  )
  const list = useInfiniteQuery(pages(users.list, { query: filter }))
  const rows = list.data?.pages.flatMap((page) => page.users) ?? []
  const first = list.data?.pages[0]
  const plan = first?.plan
  const isFull = plan ? plan.used >= plan.max : false
  const isNarrowed = Boolean(filter.searchParam || filter.queueId || filter.profile.length || filter.status !== 'all')
  const onEnd = useNextPage(list)
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])
  const open = (id: number | string, secao?: Section) => setUrl({ id, secao })

  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work()
      notify({ tone: 'pos', title: done })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }
  const setActive = async ({ id, name }: UserRow, isActive: boolean) => {
    const sure =
      isActive ||
      (await confirm({
        title: `Desativar ${name}?`,
        text: 'Sai de todos os dispositivos, não entra mais, e os atendimentos abertos voltam para pendentes.',
        action: 'Desativar',
      }))
    const change = () => call(users.update, { params: { id }, body: { isActive } }, quiet)
    if (sure) await run(change, isActive ? `${name} pode entrar de novo` : `${name} está inativo`)
  }
  const [shown, chooseColumns] = useColumns('usuarios', userColumns(setActive))
  const columns = userColumns((row, isActive) => void setActive(row, isActive))

  const invite = async ({ id, name, email }: UserRow) => {
    try {
      const came: Invitation = { name, email, ...(await call(users.invite, { params: { id }, body: {} }, quiet)) }
      if (came.isMailed) notify({ tone: 'pos', title: `Link enviado para ${email}` })
      else setInvitation(came)
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }
  const endSessions = async ({ id, name }: UserRow) => {
    const sure = await confirm({
      title: `Encerrar os dispositivos de ${name}?`,
      text: 'Quem estiver usando esta conta vai para a tela de entrada. O que não foi salvo se perde.',
      action: 'Encerrar dispositivos',
    })
    if (sure) await run(() => call(users.endSessions, { params: { id } }, quiet), 'Dispositivos encerrados')
  }
  const resetSecondFactor = async ({ id, name }: UserRow) => {
    const sure = await confirm({
      title: `Tirar o segundo fator de ${name}?`,
      text: 'Para quem perdeu o celular: o aplicativo, os códigos de recuperação e as passkeys deixam de valer, e a senha volta a bastar. Onde a empresa exige, ele é configurado de novo na próxima entrada.',
      action: 'Tirar segundo fator',
    })
    if (sure) await run(() => call(secondFactor.reset, { params: { id } }, quiet), 'Segundo fator tirado')
  }
  const remove = async ({ id, name }: UserRow) => {
    const sure = await confirm({
      title: `Excluir ${name}?`,
      text: 'Os atendimentos abertos voltam para pendentes, as carteiras são desfeitas e os dispositivos encerrados. O nome fica na história. Isto não pode ser desfeito.',
      action: 'Excluir usuário',
    })
    if (sure) await run(() => call(users.remove, { params: { id } }, quiet), 'Usuário excluído')
  }

  const save = () =>
    run(async () => {
      const all = await readAll(async (cursor): Promise<{ rows: UserRow[]; nextCursor: string | null }> => {
        const page = await call(users.list, { query: { ...filter, cursor } }, { long: true, quiet: true })
        return { rows: page.users, nextCursor: page.nextCursor }
      }, exportLimit)
      download('usuarios.csv', csv(exportHead, all.map(exportRow)))
    }, 'Lista exportada em usuarios.csv')

  return (
    <Page>
      <PageHead
        title="Usuários"
        facts={
          first &&
          (plan
            ? `${plan.used} de ${plural(plan.max, 'usuário', 'usuários')} do plano`
            : plural(first.count, 'usuário', 'usuários'))
        }
        actions={
          <>
            <Button
              variant="default"
              leftSection={<ExportIcon size={17} />}
              disabled={rows.length === 0}
              onClick={save}
            >
              Exportar
            </Button>
            <Tooltip label={`O plano comporta ${plan?.max} usuários ativos.`} disabled={!isFull}>
              <Button
                leftSection={<AddIcon size={17} />}
                data-disabled={isFull || undefined}
                onClick={() => !isFull && open('novo')}
              >
                Novo usuário
              </Button>
            </Tooltip>
          </>
        }
      />
      <FilterRow right={<ColumnChooser columns={columns} shown={shown} onChange={chooseColumns} />}>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder="Nome, e-mail ou telefone" />
        <ChoiceFilter
          label="Perfil"
          options={roles}
          chosen={filter.profile}
          onChange={(ids) => setUrl({ perfil: ids.join(',') })}
        />
        <ChoiceFilter
          label="Fila"
          options={queues}
          chosen={filter.queueId ? [filter.queueId] : []}
          onChange={(ids) => setUrl({ fila: ids.at(-1) })}
        />
        <ChoiceFilter
          label="Situação"
          options={states}
          chosen={filter.status === 'all' ? [] : [filter.status]}
          onChange={(ids) => setUrl({ situacao: ids.at(-1) })}
        />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && isNarrowed && (
        <EmptyState
          title="Ninguém com este filtro"
          text="Confira o que foi digitado e o que está escolhido, ou veja a lista inteira."
          step={{
            label: 'Limpar filtros',
            run: () => setUrl({ busca: undefined, perfil: undefined, fila: undefined, situacao: undefined }),
          }}
        />
      )}
      {list.isSuccess && rows.length === 0 && !isNarrowed && (
        <EmptyState
          title="Ninguém ainda"
          text="Quem trabalha na empresa aparece aqui."
          step={{ label: 'Cadastrar o primeiro', run: () => open('novo'), icon: <PersonIcon size={17} /> }}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label="Usuários"
          columns={columns.filter((column, index) => index === 0 || shown.includes(column.key))}
          rows={rows}
          rowKey={(row) => row.id}
          tall
          onEnd={onEnd}
          onOpen={(row) =>
            isAbove(row)
              ? notify({ id: 'above', tone: 'info', title: 'Só um superadministrador muda este usuário.' })
              : open(row.id)
          }
          commands={(row) =>
            userCommands(row, {
              isOwn: row.id === viewer().userId,
              isAbove: isAbove(row),
              open: (section) => open(row.id, section),
              invite: () => void invite(row),
              access: () => void navigate({ to: '/usuarios/acessos', search: { id: row.id } as never }),
              endSessions: () => void endSessions(row),
              resetSecondFactor: () => void resetSecondFactor(row),
              remove: () => void remove(row),
            })
          }
        />
      )}
      {url.id && (
        <UserForm
          key={url.id}
          id={url.id}
          section={sections.find(({ key }) => key === url.secao)?.key ?? 'dados'}
          queues={queues}
          connections={connections}
          onSection={(secao) => setUrl({ secao })}
          onInvited={setInvitation}
          onClose={() => setUrl({ id: undefined, secao: undefined })}
        />
      )}
      {invitation && <InviteLink invitation={invitation} onClose={() => setInvitation(null)} />}
    </Page>
  )
}

const exportHead = [
  'ID',
  'Nome',
  'E-mail',
  'Nome de usuário',
  'Telefone',
  'Perfil',
  'Filas',
  'Conexões',
  'Restrito',
  'Ativo',
]

const exportRow = (row: UserRow) => [
  row.id,
  row.name,
  row.email,
  row.username,
  row.phone,
  roleNames[row.profile],
  row.queues.map((one) => one.queue).join(', '),
  (row.whatsappAllowed ?? []).map((one) => one.name).join(', '),
  row.restrictedUser,
  row.isActive,
]
