import { describe, expect, it } from 'vitest'
import { addressOf, isOptOut, ownOptOuts, phoneAddress, stateOf } from './consents.ts'

describe('an opt-out', () => {
  it.each(['SAIR', 'sair', ' Sair. ', 'PARAR!', '*stop*', '“Sair”', 'Stop...'])('%s', (text) => {
    expect(isOptOut(text)).toBe(true)
  })
  it.each(['', '...', 'Quero SAIR do plano', 'sairei', 'sair sair', 'parar?? quando', 'S A I R', '\u200b'])(
    'not: %s',
    (text) => {
      expect(isOptOut(text)).toBe(false)
    },
  )
  it('may be the company’s own, of several words', () => {
    const own = ownOptOuts('Não quero, descadastrar\n  ; cancelar envio ,,')
    expect(own).toEqual(['NAO QUERO', 'DESCADASTRAR', 'CANCELAR ENVIO'])
    expect(['não quero!', 'Nao  Quero', 'Cancelar envio'].map((text) => isOptOut(text, own))).toEqual([
      true,
      true,
      true,
    ])
    expect(isOptOut('não quero mais', own)).toBe(false)
  })
})

describe('an address', () => {
  it.each(['5519998124407', '+551998124407', '5519998124407@s.whatsapp.net', '551998124407@c.us'])(
    'of a channel that is reached by number is one in every spelling: %s',
    (identity) => expect(addressOf('any', identity, true)).toBe(phoneAddress('5519998124407')),
  )
  it.each([
    ['bot', '5519998124407', false, 'bot:5519998124407'],
    ['post', 'Ana@Loja.test', false, 'mail:ana@loja.test'],
    ['phones', '123456789012345@lid', true, 'phones:123456789012345@lid'],
    ['site', 'abc', false, 'site:abc'],
  ])('of %s %s (%s) is %s', (channel, identity, isByNumber, address) => {
    expect(addressOf(channel, identity, isByNumber)).toBe(address)
  })
})

it('one address that revoked is enough', () => {
  expect(stateOf([])).toBe('unknown')
  expect(stateOf(['granted'])).toBe('granted')
  expect(stateOf(['granted', 'revoked'])).toBe('revoked')
})
