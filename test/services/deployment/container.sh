# Becomes a container: a root of its own that nobody can write to, two mounts that can be written to, another user without rights.
# In a mount namespace. Arguments: root, checkout, its place inside, folder to start in, user:group, size of the home, size of /tmp,
# then the command.
set -eu
root=$1 checkout=$2 place=$3 folder=$4 user=${5%:*} group=${5#*:} home_size=$6 tmp_size=$7
shift 7
mount --make-rprivate /
mount --bind "$root" "$root"
# The programs and libraries of this machine, in place of those of the base image.
for name in usr bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$name" ]; then
    ln -sfn "$(readlink "/$name")" "$root/$name"
  elif [ -d "/$name" ]; then
    mkdir -p "$root/$name"
    mount --bind "/$name" "$root/$name"
    mount -o remount,bind,ro "$root/$name"
  fi
done
mkdir -p "$root/proc" "$root/dev" "$root/tmp" "$root/home/node" "$root/etc" "$root$place"
printf 'root:x:0:0::/:/bin/sh\nnode:x:%s:%s::/home/node:/bin/sh\n' "$user" "$group" >"$root/etc/passwd"
printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
mount --bind "$checkout" "$root$place"
mount -o remount,bind,ro "$root$place"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
# As an emptyDir with fsGroup: its group may write.
mount -t tmpfs -o "size=$tmp_size,gid=$group,mode=2770" tmp "$root/tmp"
mount -t tmpfs -o "size=$home_size,gid=$group,mode=2770" home "$root/home/node"
mount -o remount,bind,ro "$root"
exec chroot "$root" /bin/sh -c 'cd "$1" && user=$2 group=$3 && shift 3 && exec setpriv --reuid "$user" --regid "$group" --clear-groups \
  --no-new-privs --bounding-set=-all --inh-caps=-all "$@"' sh "$folder" "$user" "$group" "$@"
