import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { sentence } from '#web/api.ts'
import { mutation } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { useList } from '#web/resource/use-list.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { RefreshIcon } from '#web/ui/icons.ts'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { DataTable } from '#web/ui/table/DataTable.tsx'
import { billing } from '../addresses.ts'
import css from './billing.module.css'
import { dayText, paymentColumns } from './payments-table.tsx'

/** Page of what the company pays for the product. */
export const OwnPayments = () => <Payments title={t('Pagamentos')} />

/** Page of a company whose payment is overdue: the only one left; those who do not administer it learn whom to ask. */
export function Overdue() {
  const title = t('Pagamento vencido')
  if (useMay()('billing:read')) return <Payments title={title} isOverdue />
  return (
    <Page>
      <PageHeader title={title} />
      <EmptyState
        title={t('O acesso está suspenso')}
        text={t(
          'Há um pagamento vencido da empresa. Entre em contato com o administrador do sistema! As mensagens dos clientes continuam chegando e nada se perde.',
        )}
      />
    </Page>
  )
}

function Payments({ title, isOverdue = false }: { title: string; isOverdue?: boolean }) {
  const list = useList(billing.own, (page) => page.data, {})
  const company = list.first?.company
  const refresh = useMutation(
    mutation(billing.refreshOwn, {
      onSuccess: ({ overdueSince }) =>
        notify({
          tone: overdueSince ? 'warn' : 'pos',
          title: overdueSince ? t('O Asaas ainda não recebeu o pagamento') : t('Nenhum pagamento vencido'),
        }),
    }),
  )
  if (list.error && !list.first) return <LoadError text={sentence(list.error)} retry={list.retry} />
  return (
    <Page>
      <PageHeader
        title={title}
        facts={company?.readAt && t('Conferido no Asaas às {time}', { time: formatTime(company.readAt) })}
        actions={
          company?.billedSince && (
            <Button
              variant="default"
              leftSection={<RefreshIcon size={17} />}
              loading={refresh.isPending}
              onClick={() => refresh.mutate({})}
            >
              {t('Conferir agora')}
            </Button>
          )
        }
      />
      {isOverdue && company?.overdueSince && (
        <div className={css.note}>
          <Notice tone="neg">
            {t(
              'Há um pagamento vencido em {day}. O acesso volta assim que o Asaas confirmar o pagamento; as mensagens dos clientes continuam chegando e nada se perde.',
              { day: dayText(company.overdueSince) },
            )}
          </Notice>
        </div>
      )}
      {!list.first && <SkeletonRows kind="table" rows={4} />}
      {list.first && list.rows.length === 0 && (
        <EmptyState
          title={t('Nenhum pagamento')}
          text={t('As cobranças do Guichê aparecem aqui, com o link para pagar cada uma.')}
        />
      )}
      {list.rows.length > 0 && (
        <DataTable label={title} columns={paymentColumns} rows={list.rows} rowKey={({ id }) => id} onEnd={list.onEnd} />
      )}
    </Page>
  )
}
