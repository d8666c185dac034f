/** Tells web addresses from others: what a forge says is data, and no other scheme is followed. */

export const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address);
