import { Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isApiError, sentence, sentencesIn } from '#web/api.ts'
import { call } from '#web/client.ts'
import { FieldInput } from '#web/fields/field.tsx'
import { inputDate } from '#web/format.ts'
import { useList } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { CopyButton } from '#web/ui/inputs/CopyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { PasswordField } from '#web/ui/inputs/PasswordField.tsx'
import { useForm } from '#web/ui/inputs/use-form.ts'
import { DataTable } from '#web/ui/table/DataTable.tsx'
import { billing } from '../addresses.ts'
import type { BilledCompany, BillingAccount } from '../contract.ts'
import { accountForm, startForm } from '../forms.ts'
import { paymentColumns } from './payments-table.tsx'

/** Returns the sentence on a refusal: Asaas' own where it has one. */
function refusalText(error: unknown): string {
  if (!isApiError(error)) return sentence(error)
  const { reason, asaasToken, tenantId, identity } = sentencesIn(error.details)
  return reason ?? asaasToken ?? tenantId ?? identity ?? sentence(error)
}

/** Dialog of the installation's account at Asaas. */
export function AccountDialog({ account, onClose }: { account: BillingAccount; onClose: () => void }) {
  const { values, errors, set, check } = useForm({ asaasToken: '' }, accountForm)
  const [problem, setProblem] = useState('')
  const save = async () => {
    if (!check()) return
    try {
      const saved = await call(billing.saveAccount, { body: values }, { quiet: true })
      const { webhookProblem } = saved
      notify({
        tone: webhookProblem ? 'warn' : 'pos',
        title: t('Conta do Asaas conectada'),
        ...(webhookProblem ? { text: webhookProblem } : {}),
      })
      onClose()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return (
    <FormDialog title={t('Conta do Asaas')} action={t('Conectar')} onSubmit={save} onClose={onClose}>
      {account.hint !== null && (
        <p>
          {t('Conectada com a chave que termina em {end}.', { end: account.hint })}{' '}
          {t('Uma nova chave toma o lugar dela.')}
        </p>
      )}
      <PasswordField
        label={t('Chave de API')}
        description={t('No Asaas: Integrações › Chaves de API. Começa com $aact_.')}
        value={values.asaasToken}
        error={errors['asaasToken'] ?? (problem || undefined)}
        onChange={(event) => {
          set('asaasToken', event.currentTarget.value)
          setProblem('')
        }}
      />
      <TextInput
        label={t('Endereço dos avisos')}
        description={t('É registrado no Asaas ao conectar.')}
        readOnly
        value={account.webhookUrl}
      />
      <CopyButton label={t('Copiar o endereço')} text={() => account.webhookUrl} />
    </FormDialog>
  )
}

/** Time from today to the proposed first due date. */
const AHEAD_MS = 5 * 86_400_000

/** Dialog that begins to charge a company every month. */
export function StartDialog({ company, onClose }: { company: BilledCompany; onClose: () => void }) {
  const { tenantId, tenantName: name } = company
  const form = { value: company.planValue ?? '', nextDueDate: inputDate(Date.now() + AHEAD_MS) }
  const { values, errors, set, check } = useForm(form, startForm)
  const [problem, setProblem] = useState('')
  const start = async () => {
    if (!check()) return
    setProblem('')
    try {
      await call(billing.start, { params: { tenantId }, body: values }, { quiet: true })
      notify({ tone: 'pos', title: t('{name} é cobrada pelo Asaas', { name }) })
      onClose()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return (
    <FormDialog title={t('Cobrar {name}', { name })} action={t('Começar a cobrar')} onSubmit={start} onClose={onClose}>
      <p>
        {t(
          'O Asaas emite uma cobrança por mês, com Pix, boleto ou cartão à escolha de quem paga. Vencida, ela suspende o acesso da empresa até ser paga.',
        )}
      </p>
      <FieldInput
        field={{ kind: 'money', label: t('Valor por mês'), required: true }}
        value={values.value}
        error={errors['value']}
        onChange={(value) => set('value', value === null ? '' : String(value))}
      />
      <TextInput
        type="date"
        label={t('Primeiro vencimento')}
        value={values.nextDueDate}
        error={errors['nextDueDate']}
        onChange={(event) => set('nextDueDate', event.currentTarget.value)}
      />
      {problem && <Notice tone="neg">{problem}</Notice>}
    </FormDialog>
  )
}

/** Dialog with a company's payments. */
export function PaymentsDialog({ company, onClose }: { company: BilledCompany; onClose: () => void }) {
  const { tenantId, tenantName: name } = company
  const list = useList(billing.payments, (page) => page.data, {}, [], { tenantId })
  const title = t('Pagamentos de {name}', { name })
  return (
    <Modal opened onClose={onClose} size={860} title={title}>
      {list.error && !list.first && <LoadError text={sentence(list.error)} retry={list.retry} />}
      {!list.first && !list.error && <SkeletonRows kind="table" rows={4} />}
      {list.first && list.rows.length === 0 && <p>{t('Ainda não houve cobranças.')}</p>}
      {list.rows.length > 0 && (
        <DataTable label={title} columns={paymentColumns} rows={list.rows} rowKey={({ id }) => id} onEnd={list.onEnd} />
      )}
    </Modal>
  )
}
