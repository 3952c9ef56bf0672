import { startValues, valuesSchema } from '#kit/provider.ts'
import { call } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { useRow } from '#web/resource/use-row.ts'
import { t } from '#web/t.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { voiceDevices } from '../addresses.ts'
import type { DeviceForm as Form } from '../contract.ts'
import { deviceFields } from '../table.ts'

type Values = Record<string, Form[keyof Form]>

const pick = (row: object): Values => Object.fromEntries(Object.entries(row).filter(([key]) => key in deviceFields))

/** Drawer of one voice device: `id` of the row, or 'novo'. */
export function DeviceForm({ id, onClose }: { id: string; onClose: () => void }) {
  const isNew = id === 'novo'
  const row = useRow(voiceDevices.get, id)
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(startValues(deviceFields), {
    stored: isNew ? null : row.data && pick(row.data),
    reading: row,
    checker: valuesSchema(deviceFields),
    unique: ['name', t('Já existe uma linha com este nome.')],
    onClose,
  })
  const send = async () => {
    const body = values as unknown as Form
    if (isNew) await call(voiceDevices.create, { body }, { quiet: true })
    else await call(voiceDevices.update, { params: { id: Number(id) }, body }, { quiet: true })
    return t('Linha salva')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={isNew ? t('Nova linha de voz') : (row.data?.name ?? t('Linha de voz'))}
    >
      <ProviderFields
        fields={deviceFields}
        values={values}
        errors={errors}
        set={(name, value) => set(name, value as Values[string])}
      />
    </FormDrawer>
  )
}
