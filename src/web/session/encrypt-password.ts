import AES from 'crypto-js/aes.js'
import { request } from '../api.ts'
import { boot } from '../start/boot.ts'

// Decision A12: the page contains the passphrase; the endpoint returns it for pages from elsewhere (development).
const passphrase = async (): Promise<string> =>
  boot.publicKey ?? (await request<string>('GET', '/publicEncryptionKey', { quiet: true }))

/** Encrypts a password for the wire: CryptoJS passphrase form, base64 of `Salted__` + salt + AES-256-CBC. */
export async function encryptPassword(password: string): Promise<string> {
  return AES.encrypt(password, await passphrase()).toString()
}
