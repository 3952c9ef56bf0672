import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { roleNames } from '#web/session/roles.ts'
import { t } from '#web/t.ts'
import { CheckIcon, LockIcon } from '#web/ui/icons.ts'
import { Avatar, type Presence } from '#web/ui/identity/Avatar.tsx'
import { ActiveState, Pill } from '#web/ui/identity/badges.tsx'
import { presenceOf } from '#web/ui/identity/presence.ts'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import type { UserRow } from '../contract.ts'
import { phoneText } from './phone-text.ts'
import css from './users.module.css'

type PersonRow = Pick<
  UserRow,
  'id' | 'name' | 'email' | 'isActive' | 'isInvited' | 'isSupport' | 'emailState' | 'username'
>
type UserColumn = Column<UserRow> & { initial?: boolean }

/** Table cell of a user: picture, name, e-mail, and badges of the account. */
export function PersonCell({ row, status }: { row: PersonRow; status?: Presence }) {
  return (
    <NameCell
      picture={<Avatar id={row.id} name={row.name} size={34} {...(status ? { status } : {})} />}
      name={row.name}
      detail={row.email}
      faded={row.isActive === false}
    >
      {row.isInvited && <Pill tone="warn">{t('Convite pendente')}</Pill>}
      {row.emailState === 'waiting' && !row.isInvited && (
        <Pill tone="warn">{t('Entra como {username}', { username: row.username ?? '' })}</Pill>
      )}
      {row.isSupport && <Pill tone="info">{t('Suporte')}</Pill>}
    </NameCell>
  )
}

const names = (all: readonly string[]) =>
  all.length === 0 ? null : (
    <span className={css.list} title={all.join(', ')}>
      <span className="g-cut">{all[0]}</span>
      {all.length > 1 && <small>+{all.length - 1}</small>}
    </span>
  )

/** Columns of the users' list; all but the first can be hidden. */
export const userColumns: readonly UserColumn[] = [
  {
    key: 'name',
    title: t('Nome'),
    cell: (row) => <PersonCell row={row} status={presenceOf(row)} />,
  },
  { key: 'id', title: 'ID', numeric: true, cell: (row) => row.id },
  {
    key: 'phone',
    title: t('Telefone'),
    cell: (row) => row.phone && <span className={css.nowrap}>{phoneText(row.phone)}</span>,
  },
  { key: 'queues', title: t('Filas'), initial: true, cell: (row) => names(row.queues.map((one) => one.queue)) },
  {
    key: 'connections',
    title: t('Canais'),
    initial: true,
    cell: (row) =>
      names((row.whatsappAllowed ?? []).map((one) => one.name)) ?? <span className={css.soft}>{t('Todos')}</span>,
  },
  { key: 'profile', title: t('Perfil'), initial: true, cell: (row) => roleNames[row.profile] },
  {
    key: 'restricted',
    title: t('Restrito'),
    initial: true,
    cell: (row) => (row.restrictedUser ? <Pill tone="plain">{t('Restrito')}</Pill> : null),
  },
  {
    key: 'secondFactor',
    title: t('2º fator'),
    initial: true,
    cell: (row) =>
      row.secondFactor ? (
        <span role="img" aria-label={t('Segundo fator ligado')} title={t('Segundo fator ligado')} className={css.on}>
          <LockIcon size={16} />
          <CheckIcon size={14} />
        </span>
      ) : null,
  },
  {
    key: 'lastLogin',
    title: t('Último acesso'),
    initial: true,
    cell: (row) => row.lastLogin && <span className={`g-num ${css.nowrap}`}>{formatDateTime(row.lastLogin)}</span>,
  },
  { key: 'username', title: t('Nome de usuário'), cell: (row) => row.username },
  {
    key: 'status',
    title: t('Ativo'),
    initial: true,
    cell: (row) => <ActiveState isActive={row.isActive ?? true} />,
  },
]

/** CSV export of the users' list. */
export const usersFile: CsvFile<UserRow> = {
  name: 'usuarios.csv',
  most: 5000,
  columns: [
    ['ID', (row) => row.id],
    [t('Nome'), (row) => row.name],
    ['E-mail', (row) => row.email],
    [t('Nome de usuário'), (row) => row.username],
    [t('Telefone'), (row) => row.phone],
    [t('Perfil'), (row) => roleNames[row.profile]],
    [t('Filas'), (row) => row.queues.map((one) => one.queue).join(', ')],
    [t('Canais'), (row) => (row.whatsappAllowed ?? []).map((one) => one.name).join(', ')],
    [t('Restrito'), (row) => row.restrictedUser],
    [t('Ativo'), (row) => row.isActive],
  ],
}
