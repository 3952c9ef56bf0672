import { Button, Menu } from '@mantine/core'
import { t } from '#web/t.ts'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import type { LabPhone } from '../contract.ts'
import css from './lab.module.css'
import { scripts } from './scripts.ts'
import type { ScriptState } from './use-script.ts'

/** Menu of scripts for the chosen phone. */
export function ScriptButton({ script, phone }: { script: ScriptState; phone: LabPhone }) {
  const { acting, start } = script
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          {acting ? t('Roteiro: {title}', { title: acting.script.title }) : t('Roteiro')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('{name} escreve por conta própria; você responde', { name: phone.name })}</Menu.Label>
        {scripts.map((one) => (
          <Menu.Item key={one.id} onClick={() => start(one, phone.id)}>
            <span className={css.script}>
              <b>{one.title}</b>
              <small>{one.about}</small>
            </span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Progress of the running script, with buttons to continue and to stop. */
export function ScriptStrip({ script, nameOf }: { script: ScriptState; nameOf: (phoneId: number) => string }) {
  const { acting, stop, go } = script
  if (!acting) return null
  const name = nameOf(acting.phoneId)
  return (
    <div className={css.strip} role="status">
      <b>{t('Roteiro: {title}', { title: acting.script.title })}</b>
      <span>
        {acting.isWaiting
          ? t('{name} espera a sua resposta na tela de atendimento.', { name })
          : t('{name} está escrevendo.', { name })}
      </span>
      {acting.isWaiting && (
        <Button size="sm" variant="light" onClick={go}>
          {t('Seguir sem resposta')}
        </Button>
      )}
      <Button size="sm" variant="default" onClick={stop}>
        {t('Parar')}
      </Button>
    </div>
  )
}
