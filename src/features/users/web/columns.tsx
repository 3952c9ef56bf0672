import { formatDateTime } from '#web/format.ts'
import type { CsvFile } from '#web/resource/ExportButton.tsx'
import { roleNames } from '#web/session/roles.ts'
import { CheckIcon, LockIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { ActiveState, Pill } from '#web/ui/identity/bits.tsx'
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

/** Who it is: picture, name and e-mail, and what is special about the account. */
export function PersonCell({ row, status }: { row: PersonRow; status?: 'online' | 'offline' }) {
  return (
    <NameCell
      picture={<Avatar id={row.id} name={row.name} size={34} {...(status ? { status } : {})} />}
      name={row.name}
      line={row.email}
      faded={row.isActive === false}
    >
      {row.isInvited && <Pill tone="warn">Convite pendente</Pill>}
      {row.emailState === 'waiting' && !row.isInvited && <Pill tone="warn">Entra como {row.username}</Pill>}
      {row.isSupport && <Pill tone="info">Suporte</Pill>}
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

/** Every column of the list; the first stays, the others can be hidden. */
export const userColumns: readonly UserColumn[] = [
  {
    key: 'name',
    title: 'Nome',
    cell: (row) => <PersonCell row={row} status={row.isOnline ? 'online' : 'offline'} />,
  },
  { key: 'id', title: 'ID', initial: true, numeric: true, cell: (row) => row.id },
  {
    key: 'phone',
    title: 'Telefone',
    initial: true,
    cell: (row) => row.phone && <span className={css.nowrap}>{phoneText(row.phone)}</span>,
  },
  { key: 'queues', title: 'Filas', initial: true, cell: (row) => names(row.queues.map((one) => one.queue)) },
  {
    key: 'connections',
    title: 'Conexões',
    initial: true,
    cell: (row) => names((row.whatsappAllowed ?? []).map((one) => one.name)) ?? <span className={css.soft}>Todas</span>,
  },
  { key: 'profile', title: 'Perfil', initial: true, cell: (row) => roleNames[row.profile] },
  {
    key: 'restricted',
    title: 'Restrito',
    initial: true,
    cell: (row) => (row.restrictedUser ? <Pill tone="plain">Restrito</Pill> : null),
  },
  {
    key: 'secondFactor',
    title: '2º fator',
    initial: true,
    cell: (row) =>
      row.secondFactor ? (
        <span role="img" aria-label="Segundo fator ligado" title="Segundo fator ligado" className={css.on}>
          <LockIcon size={16} />
          <CheckIcon size={14} />
        </span>
      ) : null,
  },
  {
    key: 'lastLogin',
    title: 'Último acesso',
    initial: true,
    cell: (row) => row.lastLogin && <span className={`g-num ${css.nowrap}`}>{formatDateTime(row.lastLogin)}</span>,
  },
  { key: 'username', title: 'Nome de usuário', cell: (row) => row.username },
  {
    key: 'status',
    title: 'Ativo',
    initial: true,
    cell: (row) => <ActiveState isActive={row.isActive ?? true} />,
  },
]

/** The list as a file. */
export const usersFile: CsvFile<UserRow> = {
  name: 'usuarios.csv',
  most: 5000,
  columns: [
    ['ID', (row) => row.id],
    ['Nome', (row) => row.name],
    ['E-mail', (row) => row.email],
    ['Nome de usuário', (row) => row.username],
    ['Telefone', (row) => row.phone],
    ['Perfil', (row) => roleNames[row.profile]],
    ['Filas', (row) => row.queues.map((one) => one.queue).join(', ')],
    ['Conexões', (row) => (row.whatsappAllowed ?? []).map((one) => one.name).join(', ')],
    ['Restrito', (row) => row.restrictedUser],
    ['Ativo', (row) => row.isActive],
  ],
}
