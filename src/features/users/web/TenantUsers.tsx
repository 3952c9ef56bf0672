import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { sentence } from '#web/api.ts'
import { call, pages } from '#web/client.ts'
import { useNextPage } from '#web/resource/use-next-page.ts'
import { roleNames } from '#web/roles.ts'
import { viewer } from '#web/session.ts'
import { plural } from '#web/t.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Pill } from '#web/ui/bits.tsx'
import { ChoiceFilter } from '#web/ui/choice-filter.tsx'
import { confirm } from '#web/ui/confirm.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { AddIcon, DeleteIcon, EditIcon, EmailIcon, LockIcon } from '#web/ui/icons.ts'
import { notify } from '#web/ui/notify.tsx'
import { FilterRow, Page, PageHead, SearchField } from '#web/ui/page.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/states.tsx'
import { useUrlState } from '#web/url-state.ts'
import { type TenantUser, userTenants } from '../user-tenants.ts'
import { useCompanies } from './companies.ts'
import { type Invitation, InviteLink } from './InviteLink.tsx'
import { useLiveUsers } from './live.ts'
import { phoneText } from './phone-text.ts'
import { TenantUserForm } from './TenantUserForm.tsx'
import css from './users.module.css'

const quiet = { quiet: true }

const columns: readonly Column<TenantUser>[] = [
  {
    key: 'name',
    title: 'Nome',
    cell: (row) => (
      <span className={css.person} data-inactive={row.isActive === false || undefined}>
        <Avatar id={row.id} name={row.name} size={34} />
        <span className={css.names}>
          <span className="g-cut">{row.name}</span>
          <small className="g-cut">{row.email}</small>
        </span>
        {row.isInvited && <Pill tone="warn">Convite pendente</Pill>}
        {row.isSupport && <Pill tone="info">Suporte</Pill>}
      </span>
    ),
  },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  {
    key: 'tenant',
    title: 'Empresa',
    cell: (row) => (
      <span className={css.names}>
        <span className="g-cut">{row.tenantName}</span>
        <small>ID {row.tenantId}</small>
      </span>
    ),
  },
  {
    key: 'phone',
    title: 'Telefone',
    cell: (row) => row.phone && <span className={css.nowrap}>{phoneText(row.phone)}</span>,
  },
  { key: 'profile', title: 'Perfil', cell: (row) => roleNames[row.profile] },
  { key: 'restricted', title: 'Restrito', cell: (row) => (row.restrictedUser ? <Pill>Restrito</Pill> : null) },
  {
    key: 'active',
    title: 'Situação',
    cell: (row) => <Pill tone={row.isActive ? 'pos' : 'plain'}>{row.isActive ? 'Ativo' : 'Inativo'}</Pill>,
  },
]

/** The users of all companies, for who runs the installation. */
export function TenantUsers() {
  const [url, setUrl] = useUrlState()
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const companies = useCompanies()
  useLiveUsers('userTenants')
  const filter = useMemo(
    () => ({ searchParam: url.busca, tenantId: Number(url.empresa) || undefined }),
    [url.busca, url.empresa],
  )
  const list = useInfiniteQuery(pages(userTenants.list, { query: filter }))
  const rows = list.data?.pages.flatMap((page) => page.users) ?? []
  const first = list.data?.pages[0]
  const isNarrowed = Boolean(filter.searchParam || filter.tenantId)
  const onEnd = useNextPage(list)
  const setSearch = useCallback((busca: string) => setUrl({ busca }), [setUrl])

  const invite = async ({ id, tenantId, name, email }: TenantUser) => {
    try {
      const came = await call(userTenants.invite, { params: { id }, body: { tenantId } }, quiet)
      if (came.isMailed) notify({ tone: 'pos', title: `Link enviado para ${email}` })
      else setInvitation({ name, email, ...came })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }
  const remove = async ({ id, tenantId, name, tenantName }: TenantUser) => {
    const sure = await confirm({
      title: `Excluir ${name}, de ${tenantName}?`,
      text: 'Os atendimentos abertos voltam para pendentes e os dispositivos são encerrados. O nome fica na história. Isto não pode ser desfeito.',
      action: 'Excluir usuário',
    })
    if (!sure) return
    try {
      await call(userTenants.remove, { params: { id }, body: { tenantId } }, quiet)
      notify({ tone: 'pos', title: 'Usuário excluído' })
    } catch (error) {
      notify({ tone: 'neg', title: sentence(error) })
    }
  }
  const isOwn = (row: TenantUser) => row.id === viewer().userId
  return (
    <Page>
      <PageHead
        title="Usuários das Empresas"
        facts={
          first && `${plural(first.count, 'usuário', 'usuários')}${first.countIsCapped ? ' ou mais' : ''} na instalação`
        }
        actions={
          <Button leftSection={<AddIcon size={17} />} onClick={() => setUrl({ id: 'novo' })}>
            Novo usuário
          </Button>
        }
      />
      <FilterRow>
        <SearchField value={url.busca ?? ''} onChange={setSearch} placeholder="Nome, e-mail ou empresa" />
        <ChoiceFilter
          label="Empresa"
          options={companies}
          chosen={filter.tenantId ? [filter.tenantId] : []}
          onChange={(ids) => setUrl({ empresa: ids.at(-1) })}
        />
      </FilterRow>
      {list.isPending && <SkeletonRows kind="table" />}
      {list.isError && <LoadError text={sentence(list.error)} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <EmptyState
          title={isNarrowed ? 'Ninguém com este filtro' : 'Ninguém ainda'}
          text="Quem trabalha nas empresas desta instalação aparece aqui."
          {...(isNarrowed
            ? { step: { label: 'Limpar filtros', run: () => setUrl({ busca: undefined, empresa: undefined }) } }
            : {})}
        />
      )}
      {rows.length > 0 && (
        <DataTable
          label="Usuários das Empresas"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          tall
          onEnd={onEnd}
          onOpen={(row) => setUrl({ id: row.id })}
          commands={(row) => [
            { id: 'edit', label: 'Editar', icon: EditIcon, run: () => setUrl({ id: row.id }) },
            {
              id: 'invite',
              label: row.isInvited ? 'Convidar de novo' : 'Redefinir senha',
              icon: row.isInvited ? EmailIcon : LockIcon,
              when: () => !isOwn(row) && row.isActive !== false,
              run: () => void invite(row),
            },
            {
              id: 'remove',
              label: 'Excluir…',
              icon: DeleteIcon,
              tone: 'neg',
              when: () => !isOwn(row),
              run: () => void remove(row),
            },
          ]}
        />
      )}
      {url.id && (url.id === 'novo' || list.isSuccess) && (
        <TenantUserForm
          key={url.id}
          user={rows.find((row) => row.id === Number(url.id))}
          companies={companies}
          onInvited={setInvitation}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      {invitation && <InviteLink invitation={invitation} onClose={() => setInvitation(null)} />}
    </Page>
  )
}
