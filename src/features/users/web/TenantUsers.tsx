import { useMemo } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { roleNames } from '#web/session/roles.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DeleteIcon, EditIcon, EmailIcon, LockIcon } from '#web/ui/icons.ts'
import { ActiveState, Pill } from '#web/ui/identity/badges.tsx'
import { ChoiceFilter } from '#web/ui/inputs/ChoiceFilter.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { type SetUrl, useUrlState } from '#web/url-state.ts'
import { userEvents } from '../addresses.ts'
import type { TenantUser } from '../user-tenants.ts'
import { userTenants } from '../user-tenants-addresses.ts'
import { PersonCell } from './columns.tsx'
import { type Invitation, useInvitation } from './invite-link.tsx'
import { useCompanies } from './options.ts'
import { phoneText } from './phone-text.ts'
import { TenantUserForm } from './TenantUserForm.tsx'
import css from './users.module.css'

const quiet = { quiet: true }

const columns: readonly Column<TenantUser>[] = [
  {
    key: 'name',
    title: t('Nome'),
    cell: (row) => <PersonCell row={row} />,
  },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  {
    key: 'tenant',
    title: t('Empresa'),
    cell: (row) => <NameCell name={row.tenantName} detail={t('ID {tenantId}', { tenantId: row.tenantId })} />,
  },
  {
    key: 'phone',
    title: t('Telefone'),
    cell: (row) => row.phone && <span className={css.nowrap}>{phoneText(row.phone)}</span>,
  },
  { key: 'profile', title: t('Perfil'), cell: (row) => roleNames[row.profile] },
  {
    key: 'restricted',
    title: t('Restrito'),
    cell: (row) => (row.restrictedUser ? <Pill>{t('Restrito')}</Pill> : null),
  },
  {
    key: 'active',
    title: t('Situação'),
    cell: (row) => <ActiveState isActive={row.isActive === true} />,
  },
]

const invite = async ({ id, tenantId, name, email }: TenantUser) => ({
  name,
  email,
  ...(await call(userTenants.invite, { params: { id }, body: { tenantId } }, quiet)),
})

async function remove({ id, tenantId, name, tenantName }: TenantUser): Promise<void> {
  const sure = await confirm({
    title: t('Excluir {name}, de {tenantName}?', { name, tenantName }),
    text: t(
      'Os atendimentos abertos voltam para pendentes e os dispositivos são encerrados. O nome fica na história. Isto não pode ser desfeito.',
    ),
    action: t('Excluir usuário'),
  })
  const send = () => call(userTenants.remove, { params: { id }, body: { tenantId } }, quiet)
  if (sure) await attempt(send, t('Usuário excluído'))
}

/** Page with the users of all companies, for the superadmin. */
export function TenantUsers() {
  const [url, setUrl] = useUrlState()
  const { invited, link } = useInvitation()
  const companies = useCompanies()
  const filter = useMemo(
    () => ({ searchParam: url.busca, tenantId: Number(url.empresa) || undefined }),
    [url.busca, url.empresa],
  )
  const list = useList(userTenants.list, (page) => page.users, filter, [userEvents.changed, userEvents.online])
  return (
    <ListScreen
      title={t('Usuários das Empresas')}
      nouns={[t('usuário na instalação'), t('usuários na instalação')]}
      list={list}
      search={t('Nome, e-mail ou empresa')}
      filters={
        <ChoiceFilter
          label={t('Empresa')}
          options={companies}
          chosen={filter.tenantId ? [filter.tenantId] : []}
          onChange={(ids) => setUrl({ empresa: ids.at(-1) })}
        />
      }
      filterNames={['empresa']}
      empty={{ title: t('Ninguém'), text: t('Quem trabalha nas empresas desta instalação aparece aqui.') }}
      add={{ label: t('Novo usuário'), first: t('Cadastrar o primeiro'), run: () => setUrl({ id: 'novo' }) }}
      table={{
        columns,
        rowKey: (row) => row.id,
        tall: true,
        onOpen: (row) => setUrl({ id: row.id }),
        commands: (row) => commandsOf(row, setUrl, invited),
      }}
    >
      {url.id && (url.id === 'novo' || list.state === 'success') && (
        <TenantUserForm
          key={url.id}
          user={list.rows.find((row) => row.id === Number(url.id))}
          companies={companies}
          onInvited={invited}
          onClose={() => setUrl({ id: undefined })}
        />
      )}
      {link}
    </ListScreen>
  )
}

function commandsOf(row: TenantUser, setUrl: SetUrl, invited: (invitation: Invitation) => void): readonly Command[] {
  const isOwn = row.id === viewer().userId
  return [
    { id: 'edit', label: t('Editar'), icon: EditIcon, run: () => setUrl({ id: row.id }) },
    {
      id: 'invite',
      label: row.isInvited ? t('Convidar de novo') : t('Redefinir senha'),
      icon: row.isInvited ? EmailIcon : LockIcon,
      when: () => !isOwn && row.isActive !== false,
      run: () => void attempt(async () => invited(await invite(row))),
    },
    {
      id: 'remove',
      label: t('Excluir…'),
      icon: DeleteIcon,
      tone: 'neg',
      when: () => !isOwn,
      run: () => void remove(row),
    },
  ]
}
