import { type ProviderFields as Fields, type ProviderValues, startValues, valuesSchema } from '#kit/provider.ts'
import { call } from '#web/client.ts'
import { ProviderFields } from '#web/fields/ProviderFields.tsx'
import { t } from '#web/t.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { calendarAccounts } from '../addresses.ts'
import type { CalendarAccount } from '../contract.ts'
import { calendarConfig } from '../forms.ts'

type Values = Record<string, ProviderValues[string]>

const { refreshToken: _, ...drawn } = calendarConfig.fields

/** Form fields of an account; the token comes from the login. */
const fields: Fields = {
  name: { kind: 'text', label: t('Nome'), max: 80, required: true, missing: t('Dê um nome à agenda.') },
  isActive: { kind: 'boolean', label: t('Ligada'), default: true },
  ...drawn,
}

/** Drawer of an account; `null` for a new one. */
export function AccountForm({ account, onClose }: { account: CalendarAccount | null; onClose: () => void }) {
  const stored = account && {
    ...{ name: account.name, isActive: account.isActive, googleClientId: account.googleClientId },
    ...{ googleClientSecret: account.googleClientSecret, calendarId: account.calendarId },
  }
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(startValues(fields), {
    stored,
    checker: valuesSchema(fields),
    onClose,
  })
  const send = async () => {
    const body = values as never
    if (account) await call(calendarAccounts.update, { params: { id: account.id }, body }, { quiet: true })
    else await call(calendarAccounts.create, { body }, { quiet: true })
    return account ? t('Agenda salva') : t('Agenda salva: agora entre com o Google')
  }
  return (
    <FormDrawer
      {...drawer}
      onSave={() => void save(send)}
      title={account?.name ?? t('Nova agenda')}
      sub={calendarConfig.help}
      size={540}
    >
      <ProviderFields fields={fields} values={values} errors={{ ...errors, ...ofConfig(errors) }} set={set} />
    </FormDrawer>
  )
}

/** Maps the server's error texts to the account's fields. */
const ofConfig = (errors: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(errors).map(([name, text]) => [name.replace(/^config\./, ''), text]))
