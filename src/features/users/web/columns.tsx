import { Switch } from '@mantine/core'
import { formatDateTime } from '#web/format.ts'
import { roleNames } from '#web/roles.ts'
import { viewer } from '#web/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Pill } from '#web/ui/bits.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { CheckIcon, LockIcon } from '#web/ui/icons.ts'
import type { UserRow } from '../contract.ts'
import { phoneText } from './phone-text.ts'
import css from './users.module.css'

type UserColumn = Column<UserRow> & { initial?: boolean }

const names = (all: readonly string[]) =>
  all.length === 0 ? null : (
    <span className={css.list} title={all.join(', ')}>
      <span className="g-cut">{all[0]}</span>
      {all.length > 1 && <small>+{all.length - 1}</small>}
    </span>
  )

/** Whether somebody is above the one who looks: nothing of theirs can be changed. */
export const isAbove = (row: Pick<UserRow, 'profile'>): boolean =>
  row.profile === 'superadmin' && viewer().profile !== 'superadmin'

/** Every column of the list; the first stays, the others can be hidden. `onActive` switches somebody on or off. */
export const userColumns = (onActive: (row: UserRow, isActive: boolean) => void): readonly UserColumn[] => [
  {
    key: 'name',
    title: 'Nome',
    cell: (row) => (
      <span className={css.person} data-inactive={row.isActive === false || undefined}>
        <Avatar id={row.id} name={row.name} size={34} status={row.isOnline ? 'online' : 'offline'} />
        <span className={css.names}>
          <span className="g-cut">{row.name}</span>
          <small className="g-cut">{row.email}</small>
        </span>
        {row.isInvited && <Pill tone="warn">Convite pendente</Pill>}
        {row.isSupport && <Pill tone="info">Suporte</Pill>}
      </span>
    ),
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
    cell: (row) => (
      <Switch
        aria-label={`${row.name}: ativo`}
        checked={row.isActive ?? true}
        disabled={row.id === viewer().userId || isAbove(row)}
        onChange={(event) => onActive(row, event.currentTarget.checked)}
      />
    ),
  },
]
