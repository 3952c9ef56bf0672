import { useMutation } from '@tanstack/react-query'
import { startValues, valuesSchema } from '#kit/provider.ts'
import { call } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { proxies } from '../proxies-addresses.ts'
import type { ProxyForm as Form } from '../proxies-contract.ts'
import { proxyFields } from '../table.ts'

type Values = Record<string, Form[keyof Form]>

const pick = (row: object): Values => Object.fromEntries(Object.entries(row).filter(([key]) => key in proxyFields))

/** Drawer of one proxy: `id` of the row, or 'novo'; its values can be tested before saving. */
export function ProxyForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(proxies.get, id)
  const { values, errors, set, check, refuse, drawer, save } = useDrawerForm<Values>(startValues(proxyFields), {
    stored: isNew ? null : row.data && pick(row.data),
    reading: row,
    checker: valuesSchema(proxyFields),
    unique: ['name', t('Já existe um proxy com este nome.')],
    onClose,
  })
  const body = values as unknown as Form
  const test = useMutation({
    mutationFn: () =>
      call(proxies.test, { body: { ...(isNew ? {} : { id: Number(id) }), values: body } }, { quiet: true }),
    onError: (error) => refuse(error),
  })
  const send = async () => {
    if (isNew) await call(proxies.create, { body }, { quiet: true })
    else await call(proxies.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Proxy salvo')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Novo proxy') : (row.data?.name ?? t('Proxy'))}
      size={540}
    >
      <ProviderFields
        fields={proxyFields}
        values={values}
        errors={errors}
        set={(name, value) => {
          set(name, value as Values[string])
          test.reset()
        }}
      />
      <div>
        <BusyButton
          variant="default"
          busy={test.isPending}
          doing={t('Testando')}
          onClick={async () => (await check()) && test.mutate()}
        >
          {t('Testar')}
        </BusyButton>
      </div>
      <div aria-live="polite">
        {test.data && <Notice tone={test.data.ok ? 'info' : 'neg'}>{test.data.text}</Notice>}
      </div>
    </FormDrawer>
  )
}
