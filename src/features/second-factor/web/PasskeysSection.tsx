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
  const [renaming, setRenaming] = useState<number>()

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
    setAdding(false)
  }
  const rename = async (one: Passkey, next: string) => {
    setRenaming(undefined)
    if (!next.trim() || next === one.name) return
    await call(passkeys.rename, { params: { id: one.id }, body: { name: next.trim() } }).catch(notifyError)
  }
  const remove = async (one: Passkey) => {
    const isSure = await confirm({
      title: t('Remover a passkey {name}?', { name: one.name }),
      text: t('Ela deixa de abrir a sua conta. Apague-a também no dispositivo.'),
      action: t('Remover'),
    })
    if (isSure) await call(passkeys.remove, { params: { id: one.id } }).catch(notifyError)
  }

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
      {isAdding && (
        <PasswordForm
          text={t('Confirme que é você; em seguida, o dispositivo pergunta como quer guardar a passkey.')}
          action={t('Criar passkey')}
          doing={t('Criando')}
          run={add}
          onCancel={() => setAdding(false)}
        >
          <TextInput
            label={t('Nome')}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </PasswordForm>
      )}
      {error && !data && <LoadError text={sentence(error)} retry={() => void refetch()} />}
      {!data && !error && <SkeletonRows kind="card" rows={1} />}
      {data && data.passkeys.length > 0 && (
        <ul className={css.passkeys}>
          {data.passkeys.map((one) => (
            <li key={one.id}>
              <PasskeyIcon size={20} />
              <div>
                {renaming === one.id ? (
                  <TextInput
                    aria-label={t('Nome da passkey')}
                    defaultValue={one.name}
                    maxLength={60}
                    autoFocus
                    onBlur={(event) => void rename(one, event.currentTarget.value)}
                    onKeyDown={(event) => {
                      if (event.key === 'Enter') event.currentTarget.blur()
                      if (event.key === 'Escape') setRenaming(undefined)
                    }}
                  />
                ) : (
                  <b className="g-cut">{one.name}</b>
                )}
                <small>
                  {t('Criada em {date}', { date: formatDate(one.createdAt) })}
                  {' · '}
                  {one.lastUsedAt ? t('usada em {date}', { date: formatDate(one.lastUsedAt) }) : t('ainda não usada')}
                </small>
              </div>
              {one.isBackedUp && <Pill tone="info">{t('Sincronizada')}</Pill>}
              <CommandMenu
                label={t('Ações de {name}', { name: one.name })}
                commands={[
                  { id: 'rename', label: t('Renomear'), icon: EditIcon, run: () => setRenaming(one.id) },
                  { id: 'remove', label: t('Remover…'), icon: DeleteIcon, tone: 'neg', run: () => void remove(one) },
                ]}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
