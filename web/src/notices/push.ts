// This browser's own subscription to notices, and the badge of the installed app.
import { api } from "@/table/api";
import type { NoticeChannel, NoticeWishes } from "@/table/protocol";

/** Can this browser show notices when no page is open? */
export const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

export class Denied extends Error {}
export class Failed extends Error {}

/** Ask the person and the browser's push service, then tell the server. */
export async function subscribe(key: string, wishes: NoticeWishes): Promise<NoticeChannel> {
  if ((await Notification.requestPermission()) !== "granted") throw new Denied();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => {
    throw new Failed();
  });
  const { endpoint = "", keys = {} } = made.toJSON();
  return api.notifyAt({ kind: "push", address: endpoint, p256dh: keys.p256dh, auth: keys.auth, wishes });
}

export async function unsubscribe(): Promise<void> {
  if (!able) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** How many games wait, on the icon of the installed app. */
export function badge(waiting: number): void {
  if (!("setAppBadge" in navigator)) return;
  void (waiting > 0 ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => undefined);
}
