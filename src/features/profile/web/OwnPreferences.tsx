import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { preferences } from '#kit/preferences.ts'
import { notifyError } from '#web/api.ts'
import { saveConfigs, savePreferences, usePreferences } from '#web/preferences.ts'
import { useAllCommands } from '#web/shell/commands.ts'
import { useSchemeSwitch } from '#web/shell/scheme.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { ShortcutsIcon } from '#web/ui/icons.ts'
import { Segments, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import css from './profile.module.css'
import { savePreference } from './save-preference.ts'

const darkMode = t('Modo escuro')
const enter = t('Enter envia a mensagem')
const signing = t('Assinar as mensagens')
const undoing = t('Desfazer envio')
const openingNext = t('Abrir a próxima depois de resolver')

/** Section with the user's preferences; switches apply at once on every device. */
export function OwnPreferences({ name }: { name: string }) {
  const { signature } = usePreferences()
  const draft = useDraft(signature)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const saveSignature = async () => {
    const checked = preferences.shape.signature.safeParse(draft.value)
    if (!checked.success) return setProblem(checked.error.issues[0]?.message)
    setBusy(true)
    try {
      await savePreferences({ signature: checked.data })
      draft.discard()
      notify({ tone: 'pos', title: t('Assinatura salva') })
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('Preferências')}>
      <div className={css.fields}>
        <PreferenceSwitches name={name} signature={draft.value.trim()} />
        <UndoSeconds />
        <TextInput
          label={t('Depois do nome na assinatura')}
          placeholder={t('Vendas')}
          maxLength={60}
          value={draft.value}
          error={problem}
          onChange={(event) => {
            setProblem(undefined)
            draft.set(event.currentTarget.value)
          }}
        />
        <SaveFooter
          isChanged={draft.isChanged}
          busy={busy}
          onSave={() => void saveSignature()}
          onDrop={draft.discard}
        />
        <ShortcutsRow />
      </div>
    </Card>
  )
}

function ShortcutsRow() {
  const shortcuts = useAllCommands().find((one) => one.id === 'sheet')
  return (
    shortcuts && (
      <div className={css.row}>
        <p>{t('Quase tudo se faz pelo teclado.')}</p>
        <Button variant="default" leftSection={<ShortcutsIcon size={17} />} onClick={shortcuts.run}>
          {t('Ver os atalhos')}
        </Button>
      </div>
    )
  )
}

function UndoSeconds() {
  const { undoSeconds } = usePreferences()
  return (
    <Segments
      label={undoing}
      value={String(undoSeconds)}
      options={[0, 3, 5, 10].map((seconds) => ({
        value: String(seconds),
        label: seconds === 0 ? t('Não') : t('{seconds} s', { seconds }),
      }))}
      hint={t('A mensagem espera esse tempo no servidor antes de sair, e pode ser desfeita.')}
      onChange={(next) => savePreference('undoSeconds', undoing, Number(next))}
    />
  )
}

function PreferenceSwitches({ name, signature }: { name: string; signature: string }) {
  const { enterSends, signs, opensNext } = usePreferences()
  const { isDark, show } = useSchemeSwitch()
  const chooseScheme = (next: boolean) =>
    void saveChoice({
      label: darkMode,
      before: isDark,
      next,
      labelOf: onOff,
      show,
      save: (isDark) => saveConfigs({ isDark }),
    })
  return (
    <SwitchGroup>
      <SwitchRow
        name={darkMode}
        effect={t('Em todos os seus dispositivos.')}
        checked={isDark}
        onChange={chooseScheme}
      />
      <SwitchRow
        name={enter}
        effect={enterSends ? t('Shift+Enter quebra a linha.') : t('Ctrl+Enter envia; Enter quebra a linha.')}
        checked={enterSends}
        onChange={(next) => savePreference('enterSends', enter, next)}
      />
      <SwitchRow
        name={signing}
        effect={t('Começam com “{name}{value}”. A empresa pode exigir a assinatura.', {
          name,
          value: signature ? ` · ${signature}` : '',
        })}
        checked={signs}
        onChange={(next) => savePreference('signs', signing, next)}
      />
      <SwitchRow
        name={openingNext}
        effect={t('Vale para “Resolver” e “Enviar e resolver”; a conversa seguinte da lista aparece.')}
        checked={opensNext}
        onChange={(next) => savePreference('opensNext', openingNext, next)}
      />
    </SwitchGroup>
  )
}
