import { Button, FileButton, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toError } from '#kit/errors.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { TextArea } from '#web/ui/inputs/fields.tsx'
import type { FormFields } from '#web/ui/inputs/use-form.ts'
import { FormDrawer } from '#web/ui/layout/FormDrawer.tsx'
import { useDrawerForm } from '#web/ui/layout/use-drawer-form.ts'
import { providerNumbers } from '../addresses.ts'
import type { NumberRow } from '../contract.ts'
import { profileForm, VERTICALS } from '../forms.ts'
import { refusalText } from './labels.ts'
import css from './numbers.module.css'

type Values = { about: string; description: string; address: string; email: string; sites: string; vertical: string }

const empty: Values = { about: '', description: '', address: '', email: '', sites: '', vertical: '' }

const bodyOf = ({ sites, ...rest }: Values) => ({ ...rest, websites: sites.split(/\s+/).filter(Boolean) })

const checker = {
  safeParse: (values: Values) => {
    const { success, error } = profileForm.safeParse(bodyOf(values))
    const issues = error?.issues.map(({ path, message }) => ({
      path: path[0] === 'websites' ? ['sites'] : path,
      message,
    }))
    return { success, ...(issues ? { error: { issues } } : {}) }
  },
}

/** Form of a number's business profile, loaded from its provider. */
export function ProfileForm({ row: { whatsappId: id, name }, onClose }: { row: NumberRow; onClose: () => void }) {
  const profile = useQuery({ ...query(providerNumbers.profile, { params: { id } }), gcTime: 0 })
  const { data } = profile
  const stored = data && {
    ...{ about: data.about, description: data.description, address: data.address, email: data.email },
    ...{ sites: data.websites.join('\n'), vertical: data.vertical },
  }
  const { values, errors, set, drawer, save } = useDrawerForm<Values>(empty, {
    stored,
    reading: { error: profile.error && new Error(refusalText(profile.error)), refetch: profile.refetch },
    checker,
    onClose,
  })
  const send = async () => {
    await call(providerNumbers.saveProfile, { params: { id }, body: bodyOf(values) }, { quiet: true }).catch(
      (error: unknown) => {
        throw Object.assign(toError(error), { message: refusalText(error) })
      },
    )
    return t('Perfil salvo')
  }
  const field = (key: 'about' | 'address' | 'email', label: string, description: string, maxLength: number) => (
    <TextInput
      label={label}
      description={description}
      maxLength={maxLength}
      value={values[key]}
      error={errors[key]}
      onChange={(event) => set(key, event.currentTarget.value)}
    />
  )
  return (
    <FormDrawer
      {...drawer}
      error={profile.error ?? undefined}
      onSave={() => void save(send)}
      title={t('Perfil de “{name}”', { name })}
      sub={t('É o que os contatos veem no WhatsApp')}
      size={540}
    >
      <Picture id={id} name={name} picture={data?.picture ?? null} onChanged={() => void profile.refetch()} />
      {field('about', t('Recado'), t('Uma frase abaixo do nome.'), 139)}
      <DescriptionFields values={values} errors={errors} set={set} />
      {field('address', t('Endereço'), t('Onde a empresa fica.'), 256)}
      {field('email', t('E-mail'), t('Para quem prefere escrever.'), 128)}
      <TextArea
        grow
        label={t('Sites')}
        description={t('Até dois, um por linha.')}
        value={values.sites}
        error={errors['sites']}
        onChange={(event) => set('sites', event.currentTarget.value)}
      />
    </FormDrawer>
  )
}

function DescriptionFields({ values, errors, set }: FormFields<Values>) {
  return (
    <>
      <TextArea
        grow
        label={t('Descrição')}
        maxLength={512}
        value={values.description}
        error={errors['description']}
        onChange={(event) => set('description', event.currentTarget.value)}
      />
      <Select
        clearable
        searchable
        label={t('Ramo')}
        data={Object.entries(VERTICALS).map(([value, label]) => ({ value, label }))}
        value={values.vertical in VERTICALS ? values.vertical : null}
        error={errors['vertical']}
        onChange={(next) => set('vertical', next ?? '')}
      />
    </>
  )
}

function Picture(props: { id: number; name: string; picture: string | null; onChanged: () => void }) {
  const { id, name, picture, onChanged } = props
  const [busy, setBusy] = useState(false)
  const change = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    const form = new FormData()
    form.append('file', file, file.name)
    try {
      await call(providerNumbers.savePicture, { params: { id }, body: form }, { quiet: true, long: true })
      notify({ tone: 'pos', title: t('Foto trocada') })
      onChanged()
    } catch (error) {
      notify({ tone: 'neg', title: refusalText(error) })
    }
    setBusy(false)
  }
  return (
    <div className={css.picture}>
      <Avatar id={id} name={name} src={picture} size={56} />
      <FileButton accept="image/jpeg,image/png" onChange={(file) => void change(file)}>
        {(button) => (
          <Button {...button} variant="default" loading={busy}>
            {t('Trocar a foto')}
          </Button>
        )}
      </FileButton>
    </div>
  )
}
