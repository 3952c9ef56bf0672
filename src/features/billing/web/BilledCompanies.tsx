import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDocument } from '#domain/documents/documents.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { formatDateTime, formatMoney } from '#web/format.ts'
import { ListScreen } from '#web/resource/ListScreen.tsx'
import { useList } from '#web/resource/use-list.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { BlockIcon, RefreshIcon, SubscriptionIcon, WalletIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { FilterChip } from '#web/ui/layout/page.tsx'
import type { Column } from '#web/ui/table/DataTable.tsx'
import { NameCell } from '#web/ui/table/NameCell.tsx'
import { useUrlState } from '#web/url-state.ts'
import { billing } from '../addresses.ts'
import type { BilledCompany, BillingAccount } from '../contract.ts'
import css from './billing.module.css'
import { AccountDialog, PaymentsDialog, StartDialog } from './dialogs.tsx'
import { dayText } from './payments-table.tsx'

const columns: readonly Column<BilledCompany>[] = [
  {
    key: 'name',
    title: t('Empresa'),
    cell: (row) => (
      <NameCell
        picture={<Avatar id={row.tenantId} name={row.tenantName} size={34} square />}
        name={row.tenantName}
        detail={formatDocument(row.identity) || t('Sem CPF ou CNPJ')}
      />
    ),
  },
  { key: 'state', title: t('Situação'), cell: (row) => <State row={row} /> },
  {
    key: 'next',
    title: t('Próximo vencimento'),
    cell: ({ next }) =>
      next ? (
        <span className={css.names}>
          {dayText(next.dueDate)}
          <small>{formatMoney(next.value)}</small>
        </span>
      ) : (
        '–'
      ),
  },
  { key: 'customer', title: t('Cliente no Asaas'), cell: ({ customerId }) => customerId ?? '–' },
  {
    key: 'read',
    title: t('Conferido'),
    width: 160,
    cell: ({ readAt, billedSince }) => (billedSince && readAt ? formatDateTime(readAt) : '–'),
  },
]

function State({ row: { billedSince, overdueSince } }: { row: BilledCompany }) {
  if (!billedSince) return <Pill>{t('Sem cobrança')}</Pill>
  if (!overdueSince) return <Pill tone="pos">{t('Em dia')}</Pill>
  return (
    <span className={css.names}>
      <Pill tone="neg">{t('Vencido')}</Pill>
      <small>{t('desde {day}', { day: dayText(overdueSince) })}</small>
    </span>
  )
}

const KINDS = [
  { key: undefined, label: t('Todas') },
  { key: 'billed', label: t('Com cobrança') },
  { key: 'overdue', label: t('Vencidas') },
] as const

async function stop({ tenantId, tenantName: name }: BilledCompany): Promise<void> {
  const sure = await confirm({
    title: t('Deixar de cobrar {name}?', { name }),
    text: t('A assinatura e as cobranças abertas dela são encerradas no Asaas. O que já foi pago continua aqui.'),
    action: t('Deixar de cobrar'),
  })
  if (!sure) return
  const send = () => call(billing.stop, { params: { tenantId } }, { quiet: true })
  await attempt(send, t('{name} não é mais cobrada', { name }))
}

type Open = { readonly kind: 'account' } | { readonly kind: 'payments' | 'start'; readonly row: BilledCompany }

/** Page of the companies' billing by Asaas: who is charged, who is overdue, and the payments of each. */
export function BilledCompanies() {
  const [url, setUrl] = useUrlState()
  const [open, setOpen] = useState<Open | null>(null)
  const { data: account } = useQuery(query(billing.account))
  const shown = KINDS.find(({ key }) => key === url.situacao)
  const list = useList(billing.companies, (page) => page.companies, { searchParam: url.busca, only: shown?.key })
  const isConnected = account?.hint != null
  const note = account && accountNote(account)
  const commands = (row: BilledCompany): Command[] => [
    {
      id: 'payments',
      label: t('Ver pagamentos'),
      icon: SubscriptionIcon,
      run: () => setOpen({ kind: 'payments', row }),
    },
    {
      id: 'start',
      label: t('Cobrar pelo Asaas…'),
      icon: WalletIcon,
      when: () => isConnected && !row.billedSince && row.tenantId !== 1 && row.tenantId !== viewer().tenantId,
      run: () => setOpen({ kind: 'start', row }),
    },
    {
      id: 'refresh',
      label: t('Conferir agora'),
      icon: RefreshIcon,
      when: () => row.billedSince !== null,
      run: () =>
        void attempt(
          () => call(billing.refresh, { params: { tenantId: row.tenantId } }, { quiet: true }),
          t('Pagamentos conferidos no Asaas'),
        ),
    },
    {
      id: 'stop',
      label: t('Deixar de cobrar…'),
      icon: BlockIcon,
      tone: 'neg',
      when: () => row.billedSince !== null,
      run: () => void stop(row),
    },
  ]
  return (
    <ListScreen
      title={t('Pagamentos das empresas')}
      nouns={[t('empresa'), t('empresas')]}
      list={list}
      search={t('Nome, CPF ou CNPJ')}
      filters={KINDS.map(({ key, label }) => (
        <FilterChip
          key={label}
          label={label}
          active={shown?.key === key}
          onClick={() => setUrl({ situacao: shown?.key === key ? undefined : key })}
        />
      ))}
      filterNames={['situacao']}
      empty={{
        title: t('Nenhuma empresa'),
        text: t('As empresas da instalação aparecem aqui, com a cobrança de cada uma.'),
      }}
      actions={
        account && (
          <Button variant={isConnected ? 'default' : 'filled'} onClick={() => setOpen({ kind: 'account' })}>
            {isConnected ? t('Conta do Asaas') : t('Conectar o Asaas')}
          </Button>
        )
      }
      note={
        note && (
          <div className={css.note}>
            <Notice tone={note.tone}>{note.text}</Notice>
          </div>
        )
      }
      table={{
        columns,
        rowKey: (row) => row.tenantId,
        tall: true,
        onOpen: (row) => setOpen({ kind: 'payments', row }),
        commands,
      }}
    >
      {open?.kind === 'account' && account && <AccountDialog account={account} onClose={() => setOpen(null)} />}
      {open?.kind === 'payments' && <PaymentsDialog company={open.row} onClose={() => setOpen(null)} />}
      {open?.kind === 'start' && <StartDialog company={open.row} onClose={() => setOpen(null)} />}
    </ListScreen>
  )
}

/** Returns what keeps the account from working as it should, and how much it matters; null if nothing does. */
function accountNote({
  hint,
  webhookProblem: problem,
  isSandbox,
}: BillingAccount): { tone: 'warn' | 'info'; text: string } | null {
  if (hint === null)
    return {
      tone: 'info',
      text: t(
        'Com uma conta do Asaas, cada empresa recebe a sua cobrança todo mês, e quem atrasa fica sem acesso até pagar.',
      ),
    }
  if (problem)
    return {
      tone: 'warn',
      text: t('O Asaas não avisa dos pagamentos, que são conferidos de hora em hora. {problem}', { problem }),
    }
  return isSandbox ? { tone: 'info', text: t('Conta de testes (sandbox): nenhum dinheiro se move.') } : null
}
