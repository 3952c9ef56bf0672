import { expect, it } from 'vitest'
import { changesIn, shownEnvironment } from './shown.ts'

it('masks what lets somebody in, and says what stands as it begins', () => {
  const env = {
    SECRET_KEY: 'ab'.repeat(32),
    SECRET_KEY_FILE: undefined,
    DATABASE_URL: 'postgres://dono:s3nha@banco:5432/guiche?password=outra',
    WHATSAPP_WEB_ROOT: 'ff',
    PORT: 3000,
    OUTBOUND_ALLOW: ['10.0.0.0/8', '127.0.0.1'],
  }
  const shown = shownEnvironment(env, { PORT: 3000, OUTBOUND_ALLOW: [] })
  expect(JSON.stringify(shown)).not.toMatch(/abab|s3nha|dono|outra|"ff"/)
  expect(shown.find(({ key }) => key === 'DATABASE_URL')?.value).toBe('postgres://••••@banco:5432/guiche?••••')
  expect(shown.find(({ key }) => key === 'PORT')).toEqual({
    key: 'PORT',
    value: '3000',
    isDefault: true,
    isSecret: false,
  })
  expect(shown.find(({ key }) => key === 'OUTBOUND_ALLOW')).toMatchObject({
    value: '10.0.0.0/8, 127.0.0.1',
    isDefault: false,
  })
})

it('reads versions and what they brought', () => {
  expect(changesIn('# Novidades\n\nfora\n- fora\n\n## 0.2.0\n\n- Um\n- Dois\n\n## 0.1.0\n* Três\n')).toEqual([
    { version: '0.2.0', texts: ['Um', 'Dois'] },
    { version: '0.1.0', texts: ['Três'] },
  ])
  expect(changesIn('')).toEqual([])
})
