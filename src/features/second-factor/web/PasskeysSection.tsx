import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, notifyError, sentence } from '#web/api.ts'
import { call, query } from '#web/client.ts'
import { formatDate } from '#web/format.ts'
import { canUsePasskeys } from '#web/session/passkeys.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { AddIcon, DeleteIcon, EditIcon, PasskeyIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { passkeys } from '../addresses.ts'
import { PasswordForm } from './PasswordForm.tsx'
import css from './second-factor.module.css'

type Passkey = { id: number; name: string; isBackedUp: boolean; createdAt: string; lastUsedAt: string | null }

/** Returns the default name of a new passkey: the device, from the user agent. */
function deviceName(agent = navigator.userAgent): string {
  const known: [RegExp, string][] = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Windows/, 'Windows'],
    [/Mac OS X/, 'Mac'],
    [/Linux/, 'Linux'],
  ]
  return known.find(([pattern]) => pattern.test(agent))?.[1] ?? t('Meu dispositivo')
}

/** Section with the user's own passkeys: create on this device, rename, remove. */
export function PasskeysSection() {
  const { data, error, refetch } = useQuery(query(passkeys.list))
  const [isAdding, setAdding] = useState(false)
  const [name, setName] = useState(deviceName)

  return (
    <Card
      title={t('Passkeys')}
      actions={
        canUsePasskeys() &&
        !isAdding && (
          <Button variant="default" size="sm" leftSection={<AddIcon size={16} />} onClick={() => setAdding(true)}>
            {t('Adicionar')}
          </Button>
        )
      }
    >
      <p className={css.lead}>
        {t('Entre com a digital, o rosto ou o PIN do dispositivo: sem senha e sem código, e nada que se possa copiar.')}
      </p>
      {!canUsePasskeys() && (
        <p className={css.lead}>
          {t('Neste endereço o navegador não oferece passkeys: elas precisam de https e de um nome.')}
        </p>
      )}
      {isAdding && <AddForm name={name} onName={setName} onClose={() => setAdding(false)} />}
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={1} />}
      {data && data.passkeys.length > 0 && (
        <ul className={css.passkeys}>
          {data.passkeys.map((one) => (
            <PasskeyRow key={one.id} passkey={one} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Form that creates a passkey on this device, after the password. */
function AddForm(props: { name: string; onName: (name: string) => void; onClose: () => void }) {
  const { name, onName, onClose } = props
  const add = async (password: string) => {
    const [{ startRegistration }, optionsJSON] = await Promise.all([
      import('@simplewebauthn/browser'),
      call(passkeys.options, { body: { password } }, { quiet: true }),
    ])
    try {
      const response = await startRegistration({ optionsJSON: optionsJSON as never })
      await call(passkeys.register, { body: { name: name.trim() || deviceName(), response: response as never } })
      notify({ tone: 'pos', title: t('Passkey guardada. Na próxima vez, entre com ela.') })
    } catch (failure) {
      // Other failures come from the browser: cancelled, already registered, or unsupported.
      if (isApiError(failure)) throw failure
      const isKnown = failure instanceof Error && failure.name === 'InvalidStateError'
      notify({
        tone: isKnown ? 'info' : 'warn',
        title: isKnown ? t('Este dispositivo já tem uma passkey sua.') : t('A passkey não foi criada.'),
      })
    }
    onClose()
  }
  return (
    <PasswordForm
      text={t('Confirme que é você; em seguida, o dispositivo pergunta como quer guardar a passkey.')}
      action={t('Criar passkey')}
      doing={t('Criando')}
      run={add}
      onCancel={onClose}
    >
      <TextInput
        label={t('Nome')}
        maxLength={60}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
    </PasswordForm>
  )
}

/** Row of a passkey: rename in place, remove. */
function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [isRenaming, setRenaming] = useState(false)
  const rename = async (next: string) => {
    setRenaming(false)
    if (!next.trim() || next === passkey.name) return
    await call(passkeys.rename, { params: { id: passkey.id }, body: { name: next.trim() } }).catch(notifyError)
  }
  return (
    <li>
      <PasskeyIcon size={20} />
      <div>
        {isRenaming ? (
          <TextInput
            aria-label={t('Nome da passkey')}
            defaultValue={passkey.name}
            maxLength={60}
            autoFocus
            onBlur={(event) => void rename(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur()
              if (event.key === 'Escape') setRenaming(false)
            }}
          />
        ) : (
          <b className="g-cut">{passkey.name}</b>
        )}
        <small>
          {t('Criada em {date}', { date: formatDate(passkey.createdAt) })}
          {' · '}
          {passkey.lastUsedAt ? t('usada em {date}', { date: formatDate(passkey.lastUsedAt) }) : t('ainda não usada')}
        </small>
      </div>
      {passkey.isBackedUp && <Pill tone="info">{t('Sincronizada')}</Pill>}
      <CommandMenu
        label={t('Ações de {name}', { name: passkey.name })}
        commands={[
          { id: 'rename', label: t('Renomear'), icon: EditIcon, run: () => setRenaming(true) },
          { id: 'remove', label: t('Remover…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(passkey) },
        ]}
      />
    </li>
  )
}

/** Removes a passkey, after a confirmation. */
async function remove(one: Passkey): Promise<void> {
  const isSure = await confirm({
    title: t('Remover a passkey {name}?', { name: one.name }),
    text: t('Ela deixa de abrir a sua conta. Apague-a também no dispositivo.'),
    action: t('Remover'),
  })
  if (isSure) await call(passkeys.remove, { params: { id: one.id } }).catch(notifyError)
}
